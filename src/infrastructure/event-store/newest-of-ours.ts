/** As the client has an event of `$all`; none where a link leads nowhere. */
export type Resolved = {
  readonly event?: { readonly streamId: string; readonly position?: { readonly commit: bigint } } | undefined;
};

/** Reads `$all` from its end backwards, and returns the first event that is looked for, alone. */
type LookBack = (isFound: (event: Resolved) => boolean) => Promise<readonly Resolved[]>;

/**
 * The place of the newest event whose stream has the prefix; 0 where there is none. Streams of the server itself, and of
 * other installations, lie between ours: what was looked through once is not read again, unless the server has less of it
 * now, having been restored from a backup.
 */
export function newestOf(streamPrefix: string): (lookBack: LookBack) => Promise<bigint> {
  let looked = { upTo: 0n, last: 0n };
  const look = async (lookBack: LookBack): Promise<bigint> => {
    const before = looked;
    let upTo: bigint | undefined;
    const [found] = await lookBack(({ event }) => {
      if (event === undefined) return false;
      const at = event.position?.commit ?? 0n;
      upTo ??= at;
      return (before.upTo > 0n && at <= before.upTo) || event.streamId.startsWith(streamPrefix);
    });
    if ((upTo ?? 0n) < before.upTo) {
      looked = { upTo: 0n, last: 0n };
      return look(lookBack);
    }
    const at = found?.event?.position?.commit ?? 0n;
    const last = at > before.upTo ? at : before.last;
    if (upTo !== undefined && upTo > looked.upTo) looked = { upTo, last };
    return last;
  };
  return look;
}
