/** The end of a quote that is paid, as its terms keep it. */
import { defaultRailOf, requireRail } from '../external-accounts/definitions.ts';
import type { PaymentDestination } from '../payments/ends.ts';
import type { QuoteDestination } from '../payments/parties/parties.ts';
import type { QuoteRequest } from './quote-request.ts';

/** Throws `Rejected` for a rail that does not reach the account; the default one where none is named. */
export function destinationOf(request: QuoteRequest, destination: QuoteDestination): PaymentDestination {
  const { kind } = destination;
  if (kind === 'UMA_ADDRESS') return { kind, umaAddress: destination.receiver.umaAddress };
  if (kind === 'INTERNAL') return { kind, accountId: destination.account.accountId };
  const { externalAccountId: accountId, accountInfo } = destination.account;
  const { paymentRail = defaultRailOf(accountInfo) } = request.destination;
  requireRail(accountInfo, paymentRail);
  return { kind, accountId, ...(paymentRail && { paymentRail }) };
}
