/** What a Redis that is there refuses whatever is asked of it for, and what is to be done. */

/** By the first word of its answer. */
const lacks: Readonly<Record<string, string>> = {
  OOM: 'its server has no memory left, see its maxmemory',
  READONLY: 'its server only reads, being a replica',
  // What waits is let go of when it becomes one.
  UNBLOCKED: 'its server only reads, being a replica',
  MISCONF: 'its server cannot write to its disk, and takes nothing for that',
  NOREPLICAS: 'its server has too few replicas, and takes nothing for that',
  WRONGPASS: 'its server refuses the user or the password',
  NOAUTH: 'its server asks for a password',
  NOPERM: 'its server does not let the user do what jobs need',
  CROSSSLOT: 'its server is of a cluster, and jobs need one that is not',
  MOVED: 'its server is of a cluster, and jobs need one that is not',
  CLUSTERDOWN: 'its server is of a cluster, and jobs need one that is not',
};
const noDatabase = 'ERR DB index is out of range';

/** What the server lacks; nothing where it is not that. */
export function redisLackOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, cause } = error;
  if (name !== 'ReplyError') return redisLackOf(cause);
  if (message.startsWith(noDatabase)) return 'its server has no database of this number';
  return lacks[message.split(' ', 1)[0] ?? ''];
}
