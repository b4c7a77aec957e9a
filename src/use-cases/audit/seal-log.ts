/** Says in the log what it had before each event had a hash, so that the chain covers that too. Safe to repeat. */
import { installationStream } from '../../domain/installation/installation.ts';
import type { EventStore } from '../../infrastructure/event-store/event-store.ts';
import type { FormerEvents } from '../../infrastructure/log-tree/former.ts';
import type { Commands } from '../commands.ts';
import { findFounding } from '../find/founding.ts';

type Deps = {
  readonly commands: Commands;
  readonly store: Pick<EventStore, 'read'>;
  readonly now: () => Date;
};

/** Returns whether it was said now. */
export async function sealLog(
  { commands, store, now }: Deps,
  { events, root }: FormerEvents,
): Promise<boolean> {
  const founding = await findFounding(store);
  // The first start of this version founds it.
  if (!founding) return false;
  const { platformId } = founding.metadata;
  const cause = { platformId, correlationId: 'log sealing', causationId: founding.id, actor: 'upgrade' };
  const command = { type: 'SealLog', events, root, at: now() } as const;
  const { events: said } = await commands.run('installation', installationStream, command, cause);
  return said.length > 0;
}
