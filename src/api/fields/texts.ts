/** Texts in requests: how long they may be. What else is asked of them is a rule of what they are for. */
import { z } from 'zod';
import { bounds } from '../../domain/values/bounds.ts';
import { anyUuid } from '../../kernel/ids.ts';

/** A name, or an identifier that the platform has chosen. */
export const name = z.string().min(1).max(bounds.line);

/** What is to be a payment address: what is none is refused with a code of its own, where it is looked up or taken. */
export const paymentAddress = z.string().max(bounds.paymentAddress);

/** What lists are searched by: long enough for every payment address, and for every account identifier. */
export const searched = z.string().min(1).max(bounds.paymentAddress);

/** Why something is done, in the words of whoever does it. */
export const remark = z.string().min(1).max(bounds.remark);

/** An internal or an external account. */
export const accountId = z
  .string()
  .regex(
    new RegExp(`^(Internal|External)Account:${anyUuid}$`),
    'must be an id of the form InternalAccount:<uuid> or ExternalAccount:<uuid>',
  );
