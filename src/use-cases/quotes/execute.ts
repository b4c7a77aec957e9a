/** Takes the money for a quote. Exactly one of several executions gets past the debit, or past the pull. */

import { quoteDebit } from '../../domain/payments/debit.ts';
import type { QuoteTerms } from '../../domain/payments/events.ts';
import type { Payment } from '../../domain/payments/progress.ts';
import { requirePayeeReady, requirePayerReady } from '../../domain/payments/readiness.ts';
import { debitEntryId } from '../../domain/payments/transaction.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { WalletSignature } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { loadCustomerIfAny } from '../find/customer.ts';
import { loadAccount } from '../find/parties.ts';
import { loadQuote, type QuotedPayment } from '../find/quote.ts';
import { debitSource } from '../payments/debit-source.ts';
import { requireQuoteSigned } from '../wallets/signing.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
type Attempt = {
  readonly cause: Cause;
  readonly requestedBy: string;
  /** For a wallet's quote: the stamp over its payloadToSign. */
  readonly signature: Pick<WalletSignature, 'stamp'>;
};

/** Opens the quote. */
export async function openQuote(
  { commands }: Pick<Deps, 'commands'>,
  terms: QuoteTerms,
  cause: Cause,
): Promise<Payment> {
  const uuid = uuidOf(terms.transactionId);
  const { state } = await commands.run('transaction', uuid, { type: 'CreateQuote', terms }, cause);
  invariant(state.status !== 'NONE', 'a quote that was not created');
  return state;
}

/** The quote after its execution. Throws `Rejected` when it cannot be executed, or no longer. */
export async function execute(deps: Deps, payment: QuotedPayment, attempt: Attempt): Promise<Payment> {
  const { quote } = payment.terms;
  if (!(await tookPart(deps.commands, payment, attempt))) {
    await requireSignature(deps, quote, attempt);
    await requireExecutable(deps, payment);
  }
  if (!(await takeMoney(deps, quote, attempt, false))) throw alreadyExecuted();
  const executed = await loadQuote(deps.commands, quote.platformId, quote.quoteId);
  if (executed.status === 'EXPIRED') throw expired(quote);
  return executed;
}

/** A wallet pays only what one of its session keys has signed. Throws `Rejected` (401). */
export async function requireSignature(
  { commands, now }: Deps,
  { source }: QuoteTerms,
  { signature }: Pick<Attempt, 'signature'>,
): Promise<void> {
  if (source.kind !== 'INTERNAL' || source.payloadToSign === undefined) return;
  const wallet = await commands.load('wallet', uuidOf(source.accountId));
  requireQuoteSigned(signature.stamp, source.payloadToSign, wallet, now());
}

/** Creates a quote and executes it in one: without enough money nothing is created (completion 9.2). */
export async function executeAtOnce(deps: Deps, quote: QuoteTerms, attempt: Attempt): Promise<Payment> {
  const { commands } = deps;
  const uuid = uuidOf(quote.transactionId);
  if (quote.source.kind !== 'INTERNAL')
    await commands.run('transaction', uuid, { type: 'CreateQuote', terms: quote }, attempt.cause);
  await takeMoney(deps, quote, attempt, true);
  return loadQuote(commands, quote.platformId, quote.quoteId);
}

/** Whether this very request has taken the money before: it was cut short then and finds its own doing now. */
async function tookPart(
  commands: Commands,
  payment: QuotedPayment,
  { requestedBy }: Attempt,
): Promise<boolean> {
  const { source, transactionId } = payment.terms;
  if (source.kind !== 'INTERNAL') return 'fundedBy' in payment && payment.fundedBy === requestedBy;
  const account = await commands.load('account', uuidOf(source.accountId));
  return account.status !== 'none' && account.entries.bookedBy(debitEntryId(transactionId)) === requestedBy;
}

/** Whether it was this request that took the money. */
async function takeMoney(
  { commands, now }: Deps,
  quote: QuoteTerms,
  attempt: Attempt,
  opens: boolean,
): Promise<boolean> {
  const { transactionId, source, sending: amount } = quote;
  const { cause, requestedBy } = attempt;
  const at = now();
  if (source.kind === 'EXTERNAL') {
    const funds = { type: 'ReceiveFunds', amount, requestedBy, at } as const;
    const { events, state } = await commands.run('transaction', uuidOf(transactionId), funds, cause);
    return events.length > 0 || ('fundedBy' in state && state.fundedBy === requestedBy);
  }
  invariant(source.kind === 'INTERNAL', 'money that is paid in from outside is not taken');
  const debit = quoteDebit({ transactionId, accountId: source.accountId, amount }, opens ? quote : undefined);
  return debitSource(commands, { ...debit, requestedBy, at }, cause);
}

/** Throws `Rejected` for a quote that cannot be executed, or no longer. */
export async function requireExecutable(
  { commands, now }: Deps,
  { status, terms }: QuotedPayment,
): Promise<void> {
  const { quote } = terms;
  const { platformId, customerId, source, destination, expiresAt } = quote;
  if (source.kind === 'REALTIME_FUNDING') {
    throw new Rejected(
      'INVALID_INPUT',
      'A quote with REALTIME_FUNDING runs by itself when its payment instructions are paid.',
    );
  }
  if (status === 'EXPIRED' || (status === 'PENDING' && now() >= expiresAt)) throw expired(quote);
  if (status !== 'PENDING') throw alreadyExecuted();
  invariant(source.kind !== 'UMA_ADDRESS', 'a quote from a payment address');
  const sender = await loadCustomerIfAny(commands, platformId, customerId);
  const from = await loadAccount(commands, platformId, source.accountId).catch(deleted('source'));
  requirePayerReady(sender, from);
  if (destination.kind === 'UMA_ADDRESS') return;
  requirePayeeReady(
    await loadAccount(commands, platformId, destination.accountId).catch(deleted('destination')),
  );
}

/** An account that was there when the quote was made is not a wrong path now. */
const deleted = (side: string) => (error: unknown) => {
  if (!(error instanceof Rejected)) throw error;
  throw new Rejected('INVALID_INPUT', `The ${side} account of this quote has been deleted.`);
};

const alreadyExecuted = () => new Rejected('CONFLICT', 'This quote has been executed already.');

const expired = ({ expiresAt }: QuoteTerms) =>
  new Rejected('QUOTE_EXPIRED', `The quote expired at ${expiresAt.toISOString()}. Create a new one.`, {
    expiresAt: expiresAt.toISOString(),
  });
