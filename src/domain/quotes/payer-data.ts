import { Rejected } from '../../kernel/rejected.ts';
import { missingFields } from '../lookups/payer-fields.ts';
import type { QuoteParties } from '../payments/parties/parties.ts';
import type { QuoteRequest } from './quote-request.ts';

/** Every mandatory field that the receiver asked for at the lookup must be sent or known. */
export function requirePayerData(
  { senderCustomerInfo = {} }: QuoteRequest,
  { lookup, sender }: QuoteParties,
): void {
  const required = lookup?.requiredPayerDataFields ?? [];
  const missing = missingFields(required, sender, senderCustomerInfo);
  if (missing.length === 0) return;
  throw new Rejected(
    'MISSING_MANDATORY_USER_INFO',
    `The receiver needs ${missing.join(', ')}: send it in senderCustomerInfo.`,
    {
      requiredFields: missing,
    },
  );
}
