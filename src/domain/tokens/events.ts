import { z } from 'zod';
import { type EventOf, instant, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';
import { environments } from '../platforms/events.ts';
import { permissions } from './permissions.ts';

const tokenId = idField('Token');

/** Persisted for ever: add optional fields; never rename, retype or reuse one. The secret is nowhere in the log. */
export const tokenEvents = {
  /** Somebody may act for the platform: whoever the name says. */
  TokenIssued: z.object({
    platformId: idField('Platform'),
    tokenId,
    /** Who holds it, as who issued it has written. */
    name: personal(z.string().min(1)),
    clientId: z.string().min(1),
    permissions: z.array(z.enum(permissions)),
    environment: z.enum(environments),
    at: instant,
  }),
  /** The operator has given it another secret. One that was deleted works again. */
  TokenRenewed: z.object({ tokenId, at: instant }),
  /** It was used on a day of UTC; `at` is the first use that was noticed. */
  TokenUsed: z.object({ tokenId, day: z.iso.date(), at: instant }),
  TokenDeleted: z.object({ tokenId, at: instant }),
};
export type TokenEvent = EventOf<typeof tokenEvents>;
