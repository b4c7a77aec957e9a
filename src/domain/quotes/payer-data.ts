import { Rejected } from '../../kernel/rejected.ts';
import { anyOf, knownOf, missingOf } from '../lookups/payer-fields.ts';
import type { PartyInformation } from '../payments/ends.ts';
import type { QuoteParties } from '../payments/parties/parties.ts';
import type { QuoteRequest } from './quote-request.ts';

/**
 * What the receiving side is told about the payer: all that the platform sends, and what was asked for at the lookup and is
 * known. Throws `Rejected` where a mandatory field is neither.
 */
export function payerInformation(
  { senderCustomerInfo }: QuoteRequest,
  { lookup, sender }: QuoteParties,
): PartyInformation | undefined {
  const required = lookup?.requiredPayerDataFields ?? [];
  const told = { ...knownOf(sender, required), ...withoutBlanks(senderCustomerInfo) };
  const missing = missingOf(required, told);
  if (missing.length === 0) return anyOf(told);
  throw new Rejected(
    'MISSING_MANDATORY_USER_INFO',
    `The receiver needs ${missing.join(', ')}: send it in senderCustomerInfo.`,
    {
      requiredFields: missing,
    },
  );
}

/** What is sent empty says nothing. */
const withoutBlanks = (sent: PartyInformation = {}): PartyInformation =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
