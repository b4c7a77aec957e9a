/** What a request about a quote has done in an attempt that was cut short, seen through. */
import type { Payment } from '../../domain/payments/life/progress.ts';
import type { QuoteRequest } from '../../domain/quotes/quote-request.ts';
import { idOf, isId } from '../../kernel/ids.ts';
import type { Attempt } from '../attempt.ts';
import type { Commands } from '../commands.ts';
import { loadQuote, type QuotedPayment } from '../find/quote.ts';
import { resumeDebit, resumePayment } from '../payments/resume.ts';
import { type Execution, executed } from './execute.ts';
import { takeMoney } from './take-money.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };

/** The quote that the request has created, executed as far as it asked for that. */
export async function resumeQuote(
  deps: Deps,
  asked: Pick<QuoteRequest, 'source' | 'immediatelyExecute'> | undefined,
  { uuidFor, cause, requestedBy }: Attempt & Pick<Execution, 'requestedBy'>,
): Promise<Payment | undefined> {
  const transactionId = idOf('Transaction', uuidFor('quote'));
  const { accountId = '' } = asked?.source ?? {};
  const begun = {
    transactionId,
    requestedBy,
    accountId: isId('InternalAccount', accountId) ? accountId : undefined,
  };
  const payment = await resumePayment(deps.commands, begun, cause);
  // From an account here the debit begins the quote; only what is pulled is begun and paid for in two steps.
  const isBegun = payment?.status === 'PENDING' && payment.terms.source.kind === 'EXTERNAL';
  if (!isBegun || payment.terms.kind !== 'quote' || !asked?.immediatelyExecute) return payment;
  const { quote } = payment.terms;
  await takeMoney(deps, quote, { cause, requestedBy });
  return executed(await loadQuote(deps.commands, quote.platformId, quote.quoteId));
}

/** The quote, where this very request has executed it. */
export async function resumeExecution(
  deps: Deps,
  payment: QuotedPayment,
  { cause, requestedBy }: Pick<Execution, 'cause' | 'requestedBy'>,
): Promise<Payment | undefined> {
  const { source, transactionId, quote } = payment.terms;
  const isTaken =
    source.kind === 'INTERNAL'
      ? await resumeDebit(deps.commands, { transactionId, accountId: source.accountId, requestedBy }, cause)
      : payment.fundedBy === requestedBy;
  if (!isTaken) return undefined;
  await resumePayment(deps.commands, { transactionId, requestedBy }, cause);
  return executed(await loadQuote(deps.commands, quote.platformId, quote.quoteId));
}
