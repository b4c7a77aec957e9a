/** Texts in requests: how long they may be. What else is asked of them is a rule of what they are for. */
import { z } from 'zod';
import { bounds } from '../../domain/values/bounds.ts';
import { anyUuid } from '../../kernel/ids.ts';

/** A name, or an identifier that the platform has chosen. */
export const name = z.string().min(1).max(bounds.line);

/** Long enough for every payment address, and for every account identifier. */
export const paymentAddress = z.string().min(1).max(bounds.paymentAddress);

/** Why something is done, in the words of whoever does it. */
export const remark = z.string().min(1).max(bounds.remark);

/** What is said of a customer to the other side of a payment, by the names of payer fields. */
export const customerInfo = z
  .preprocess(
    refuseLonger,
    z.record(z.string().min(1).max(bounds.customerInfoName), z.string().max(bounds.customerInfoValue)),
  )
  .meta({ maxProperties: bounds.customerInfoEntries });

/** Before any entry is looked at. */
function refuseLonger(value: unknown, context: z.RefinementCtx): unknown {
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  if (size > bounds.customerInfoEntries)
    context.addIssue(`must have at most ${bounds.customerInfoEntries} entries`);
  return value;
}

/** An internal or an external account. */
export const accountId = z.string().regex(new RegExp(`^(Internal|External)Account:${anyUuid}$`));
