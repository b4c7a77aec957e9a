/** Opens and executes quotes. Of several executions of one quote, one succeeds. */
import type { QuoteTerms } from '../../domain/payments/events.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import type { SignedBy } from '../../domain/wallets/events.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { WalletSignature } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { type QuotedPayment, recallQuote } from '../find/quote.ts';
import { together } from '../together.ts';
import { requireQuoteSigned } from '../wallets/signing.ts';
import { alreadyExecuted, type Executable, expired, requireReady } from './executable.ts';
import { takeMoney, takeMoneyAndOpen } from './take-money.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
export type Execution = {
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
export async function execute(
  deps: Deps,
  { payment, find }: Executable,
  attempt: Execution,
): Promise<Payment> {
  const { quote } = payment.terms;
  const signing = requireSignature(deps, quote, attempt);
  await together(signing, requireReady(deps, payment, find));
  const taking = { ...attempt, signedBy: await signing };
  const isTaken = await takeMoney(deps, quote, taking);
  const last = executed(await recallQuote(deps.commands, quote.platformId, quote.quoteId));
  if (!isTaken) throw alreadyExecuted();
  return last;
}

/** The quote, whose money has been taken. Throws `Rejected` where it had expired by then: the money goes back. */
export function executed(payment: QuotedPayment): Payment {
  if (payment.status === 'EXPIRED') throw expired(payment.terms.quote);
  return payment;
}

/** A wallet pays only what one of its session keys has signed. Returns whose. Throws `Rejected` (401). */
export async function requireSignature(
  { commands, now }: Deps,
  { source }: QuoteTerms,
  { signature }: Pick<Execution, 'signature'>,
): Promise<SignedBy | undefined> {
  if (source.kind !== 'INTERNAL' || source.payloadToSign === undefined) return undefined;
  const wallet = await commands.load('wallet', uuidOf(source.accountId));
  return requireQuoteSigned(signature.stamp, source.payloadToSign, wallet, now());
}

/** Creates a quote and executes it in one: without enough money nothing is created. */
export async function executeAtOnce(deps: Deps, quote: QuoteTerms, attempt: Execution): Promise<Payment> {
  const { commands } = deps;
  const uuid = uuidOf(quote.transactionId);
  if (quote.source.kind !== 'INTERNAL')
    await commands.run('transaction', uuid, { type: 'CreateQuote', terms: quote }, attempt.cause);
  await takeMoneyAndOpen(deps, quote, attempt);
  return recallQuote(commands, quote.platformId, quote.quoteId);
}
