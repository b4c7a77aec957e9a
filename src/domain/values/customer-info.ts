/** What is said of a customer to the other side of a payment, by the names of payer fields. */
import { z } from 'zod';
import { bounds } from './bounds.ts';

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
