/** Texts in requests: how long they may be. What else is asked of them is a rule of what they are for. */
import { z } from 'zod';
import { anyUuid } from '../../kernel/ids.ts';

/** A name, or an identifier that the platform has chosen. */
export const name = z.string().min(1).max(255);

/** Long enough for every payment address, and for every account identifier. */
export const paymentAddress = z.string().min(1).max(320);

/** Why something is done, in the words of whoever does it. */
export const remark = z.string().min(1).max(1000);

/** What is said of a customer to the other side of a payment, by the names of payer fields. */
export const customerInfo = z.record(z.string().min(1).max(64), z.string().max(1000));

/** An internal or an external account. */
export const accountId = z.string().regex(new RegExp(`^(Internal|External)Account:${anyUuid}$`));
