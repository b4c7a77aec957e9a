import { installationEvents } from '../../domain/installation/events.ts';
import { installationStream } from '../../domain/installation/installation.ts';
import type { Environment } from '../../domain/platforms/events.ts';
import { streamOf } from '../../domain/streams.ts';
import type { EventStore, StoredEvent } from '../../infrastructure/event-store/event-store.ts';

/** How the installation of a log began: its id tells one log from another. `undefined` where the log has none yet. */
export async function findFounding(log: Pick<EventStore, 'read'>): Promise<StoredEvent | undefined> {
  const [founding] = await log.read(streamOf('installation', installationStream), 0, 1);
  return founding;
}

/** Which environment the installation of a log is of; `undefined` where the log does not say. */
export async function findEnvironment(log: Pick<EventStore, 'read'>): Promise<Environment | undefined> {
  const founding = await findFounding(log);
  return founding && installationEvents.InstallationFounded.parse(founding.data).environment;
}
