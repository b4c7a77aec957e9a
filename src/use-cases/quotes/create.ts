import type { Rates } from '../../domain/money/rates.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import type { QuoteParties } from '../../domain/payments/parties/parties.ts';
import type { OperatorLimits } from '../../domain/platforms/outflow-limits.ts';
import { newQuote } from '../../domain/quotes/new-quote.ts';
import type { QuoteRequest } from '../../domain/quotes/quote-request.ts';
import type { Attempt } from '../attempt.ts';
import type { Commands } from '../commands.ts';
import { quotePayloadOf } from '../wallets/payloads.ts';
import { type Execution, executeAtOnce, openQuote } from './execute.ts';

type Deps = {
  readonly commands: Commands;
  readonly rates: Rates;
  readonly now: () => Date;
  readonly quoteLifetimeMs: number;
  readonly operatorLimits: OperatorLimits;
};

/** The quote, executed already where the request says so. Throws `Rejected`, with nothing created. */
export async function createQuote(
  deps: Deps,
  request: QuoteRequest,
  parties: QuoteParties,
  attempt: Attempt & Execution,
): Promise<Payment> {
  const { rates, now, quoteLifetimeMs: lifetimeMs, operatorLimits } = deps;
  const uuid = attempt.uuidFor('quote');
  const chosen = { uuid, lifetimeMs, operatorLimits, payloadOf: quotePayloadOf, at: now() };
  const terms = newQuote(request, parties, rates.table, chosen);
  return request.immediatelyExecute
    ? executeAtOnce(deps, terms, attempt)
    : openQuote(deps, terms, attempt.cause);
}
