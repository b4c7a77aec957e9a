import { installationStream } from '../../domain/installation/installation.ts';
import { streamOf } from '../../domain/streams.ts';
import type { EventStore, StoredEvent } from '../../infrastructure/event-store/event-store.ts';

/** How the installation of a log began: its id tells one log from another. `undefined` where the log has none yet. */
export async function findFounding(log: Pick<EventStore, 'read'>): Promise<StoredEvent | undefined> {
  const [founding] = await log.read(streamOf('installation', installationStream), 0, 1);
  return founding;
}
