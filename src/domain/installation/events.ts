import { z } from 'zod';
import { type EventOf, instant } from '../../kernel/codecs.ts';
import { environments } from '../platforms/events.ts';

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const installationEvents = {
  InstallationFounded: z.object({ environment: z.enum(environments), at: instant }),
  /** What the log had before each event had a hash. A position is not in it: a log that is moved gets others. */
  LogSealed: z.object({
    events: z.int().min(1).meta({ description: 'The first so many events of the log.' }),
    root: z.base64().meta({ description: 'Of the Merkle tree (RFC 6962) over their hashes.' }),
    at: instant,
  }),
};
export type InstallationEvent = EventOf<typeof installationEvents>;
