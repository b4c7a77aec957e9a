/** Taking the money of a quote: exactly one of several executions gets past the debit, or past the pull. */
import { quoteDebit } from '../../domain/payments/debit.ts';
import type { QuoteTerms } from '../../domain/payments/events.ts';
import type { SignedBy } from '../../domain/wallets/events.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';
import { debitSource } from '../payments/debit-source.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
type Taking = {
  readonly cause: Cause;
  readonly requestedBy: string;
  /** Of a wallet: whose session key has signed the quote. */
  readonly signedBy?: SignedBy | undefined;
};

/** Whether it was this request that took the money. */
export const takeMoney = (deps: Deps, quote: QuoteTerms, taking: Taking): Promise<boolean> =>
  take(deps, quote, taking, undefined);

/** The same for a quote that may have no stream yet: a debit of its account opens it. */
export const takeMoneyAndOpen = (deps: Deps, quote: QuoteTerms, taking: Taking): Promise<boolean> =>
  take(deps, quote, taking, quote);

async function take(
  { commands, now }: Deps,
  { transactionId, source, sending: amount, limits }: QuoteTerms,
  { cause, requestedBy, signedBy }: Taking,
  opens: QuoteTerms | undefined,
): Promise<boolean> {
  const at = now();
  if (source.kind === 'EXTERNAL') {
    const funds = { type: 'ReceiveFunds', amount, requestedBy, at } as const;
    const { events, state } = await commands.run('transaction', uuidOf(transactionId), funds, cause);
    return events.length > 0 || ('fundedBy' in state && state.fundedBy === requestedBy);
  }
  invariant(source.kind === 'INTERNAL', 'money that is paid in from outside is not taken');
  const debit = quoteDebit({ transactionId, accountId: source.accountId, amount, limits }, opens);
  return debitSource(commands, { ...debit, requestedBy, signedBy, at }, cause);
}
