import { z } from 'zod';
import { type EventOf, instant } from '../../kernel/codecs.ts';
import { environments } from '../platforms/events.ts';

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const installationEvents = {
  InstallationFounded: z.object({ environment: z.enum(environments), at: instant }),
};
export type InstallationEvent = EventOf<typeof installationEvents>;
