import { z } from 'zod';
import { type EventOf, instant } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const restorationEvents = {
  /**
   * From here on the platform of the sandbox is what it was at a snapshot: its streams go on under their names with
   * `.<generation>`, which begin with copies of the events that the snapshot has.
   */
  PlatformStateRestored: z.object({
    platformId: idField('Platform'),
    snapshotId: idField('Snapshot'),
    generation: z.int().min(1).meta({ description: 'Of the names: one more with each restoration.' }),
    streams: z.array(z.string()).meta({
      description: 'Streams that go on elsewhere from here on; with those of the restorations before.',
    }),
    at: instant,
  }),
};
export type RestorationEvent = EventOf<typeof restorationEvents>;
