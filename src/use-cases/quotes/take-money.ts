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

/** Whether it was this request that took the money. The debit `opens` a quote that has no stream yet. */
export async function takeMoney(
  { commands, now }: Deps,
  quote: QuoteTerms,
  { cause, requestedBy, signedBy }: Taking,
  opens: boolean,
): Promise<boolean> {
  const { transactionId, source, sending: amount, limits } = quote;
  const at = now();
  if (source.kind === 'EXTERNAL') {
    const funds = { type: 'ReceiveFunds', amount, requestedBy, at } as const;
    const { events, state } = await commands.run('transaction', uuidOf(transactionId), funds, cause);
    return events.length > 0 || ('fundedBy' in state && state.fundedBy === requestedBy);
  }
  invariant(source.kind === 'INTERNAL', 'money that is paid in from outside is not taken');
  const debit = quoteDebit(
    { transactionId, accountId: source.accountId, amount, limits },
    opens ? quote : undefined,
  );
  return debitSource(commands, { ...debit, requestedBy, signedBy, at }, cause);
}
