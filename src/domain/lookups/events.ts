import { z } from 'zod';
import { type EventOf, instant, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';
import { payerFieldNames } from './payer-fields.ts';

/** What a receiving side asks about the payer. */
export const requiredField = z.object({ name: z.enum(payerFieldNames), mandatory: z.boolean() });

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const lookupEvents = {
  LookupCreated: z.object({
    lookupId: idField('Lookup'),
    platformId: idField('Platform'),
    customerId: idField('Customer'),
    /** What was looked up: an external account's id or a payment address. */
    receiver: personal(z.string().min(1)),
    requiredPayerDataFields: z.array(requiredField),
    currencies: z.array(z.string()).min(1),
    expiresAt: instant,
    at: instant,
  }),
};
export type LookupEvent = EventOf<typeof lookupEvents>;
