/** Opens and executes quotes. Of several executions of one quote, one succeeds. */

import type { QuoteTerms } from '../../domain/payments/events.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import { requirePayeeReady, requirePayerReady } from '../../domain/payments/parties/readiness.ts';
import type { SignedBy } from '../../domain/wallets/events.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type PlatformId, type QuoteId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { WalletSignature } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { loadCustomerIfAny } from '../find/customer.ts';
import { loadAccount } from '../find/parties.ts';
import type { Payees } from '../find/payees.ts';
import { knownQuote, loadQuote, type QuotedPayment, recallQuote } from '../find/quote.ts';
import { settled, together } from '../together.ts';
import { requireQuoteSigned } from '../wallets/signing.ts';
import { takeMoney } from './take-money.ts';

type Deps = {
  readonly commands: Commands;
  readonly payees: Pick<Payees, 'standing'>;
  readonly now: () => Date;
};
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

/** A quote as it is now, and how to find those whom its execution concerns. */
export type Executable = { readonly payment: QuotedPayment; readonly find: () => Promise<Concerned> };

/**
 * The quote, and whom it concerns: read at the same moment where the quote is remembered, whose terms never change, and
 * else when they are asked for. Throws `Rejected` (404) for a quote that is not there or not this platform's.
 */
export async function findExecutable(
  deps: Pick<Deps, 'commands' | 'payees'>,
  platformId: PlatformId,
  quoteId: QuoteId,
): Promise<Executable> {
  const quote = knownQuote(deps.commands, platformId, quoteId)?.terms.quote;
  // Who has an address may be asked outside: not before it is sure that the quote is to be paid.
  const early = quote && quote.destination.kind !== 'UMA_ADDRESS' && settled(findConcerned(deps, quote));
  const payment = await loadQuote(deps.commands, platformId, quoteId);
  const find = early ? async () => (await early)() : () => findConcerned(deps, payment.terms.quote);
  return { payment, find };
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
  if (!(await takeMoney(deps, quote, taking, false))) throw alreadyExecuted();
  return executed(await recallQuote(deps.commands, quote.platformId, quote.quoteId));
}

/** The quote, whose money has been taken. Throws `Rejected` where it had expired by then: the money goes back. */
export function executed(payment: QuotedPayment): Payment {
  if (payment.status === 'EXPIRED') throw expired(payment.terms.quote);
  return payment;
}

/** A wallet pays only what one of its session keys has signed. Returns whose. Throws `Rejected` (401). */
export async function requireSignature(
  { commands, now }: Pick<Deps, 'commands' | 'now'>,
  { source }: QuoteTerms,
  { signature }: Pick<Execution, 'signature'>,
): Promise<SignedBy | undefined> {
  if (source.kind !== 'INTERNAL' || source.payloadToSign === undefined) return undefined;
  const wallet = await commands.load('wallet', uuidOf(source.accountId));
  return requireQuoteSigned(signature.stamp, source.payloadToSign, wallet, now());
}

/** Creates a quote and executes it in one: without enough money nothing is created. */
export async function executeAtOnce(
  deps: Pick<Deps, 'commands' | 'now'>,
  quote: QuoteTerms,
  attempt: Execution,
): Promise<Payment> {
  const { commands } = deps;
  const uuid = uuidOf(quote.transactionId);
  if (quote.source.kind !== 'INTERNAL')
    await commands.run('transaction', uuid, { type: 'CreateQuote', terms: quote }, attempt.cause);
  await takeMoney(deps, quote, attempt, true);
  return recallQuote(commands, quote.platformId, quote.quoteId);
}

/** Throws `Rejected` for a quote that cannot be executed, or no longer. */
export const requireExecutable = (deps: Deps, payment: QuotedPayment): Promise<void> =>
  requireReady(deps, payment, () => findConcerned(deps, payment.terms.quote));

/** Who pays, from where, and what throws where nobody can be paid; nothing of a quote that is not executed. */
type Concerned = Awaited<ReturnType<typeof findConcerned>>;

async function findConcerned(deps: Pick<Deps, 'commands' | 'payees'>, quote: QuoteTerms) {
  const { platformId, customerId, source } = quote;
  const { commands } = deps;
  if (source.kind !== 'INTERNAL' && source.kind !== 'EXTERNAL') return undefined;
  const [sender, from, to] = await Promise.all([
    loadCustomerIfAny(commands, platformId, customerId),
    loadAccount(commands, platformId, source.accountId).catch(deleted('source')),
    settled(requirePaid(deps, quote)),
  ]);
  return { sender, from, to };
}

async function requireReady(
  { now }: Pick<Deps, 'now'>,
  quote: QuotedPayment,
  find: Executable['find'],
): Promise<void> {
  const { terms } = quote;
  if (terms.quote.source.kind === 'REALTIME_FUNDING') {
    throw new Rejected(
      'INVALID_INPUT',
      'A quote with REALTIME_FUNDING runs by itself when its payment instructions are paid.',
    );
  }
  requireOpen(quote, now());
  const concerned = await find();
  invariant(concerned, 'a quote from a payment address');
  requirePayerReady(concerned.sender, concerned.from);
  concerned.to();
}

/** Throws `Rejected` (409) for a quote that is over. */
export function requireOpen({ status, terms: { quote } }: QuotedPayment, at: Date): void {
  if (status === 'EXPIRED' || (status === 'PENDING' && at >= quote.expiresAt)) throw expired(quote);
  if (status !== 'PENDING') throw alreadyExecuted();
}

/** Throws `Rejected` where nobody can be paid at the quote's destination any more, or not the one that it was for. */
async function requirePaid(deps: Pick<Deps, 'commands' | 'payees'>, quote: QuoteTerms): Promise<void> {
  if (quote.destination.kind === 'UMA_ADDRESS') await deps.payees.standing(quote);
  else await requireAccountPaid(deps, quote);
}

/** Throws `Rejected` where the account that the quote pays takes nothing now. Who has an address is not looked at. */
export async function requireAccountPaid(
  { commands }: Pick<Deps, 'commands'>,
  { platformId, destination }: QuoteTerms,
): Promise<void> {
  if (destination.kind === 'UMA_ADDRESS') return;
  const { accountId } = destination;
  requirePayeeReady(await loadAccount(commands, platformId, accountId).catch(deleted('destination')));
}

/** An account that was there when the quote was made is not a wrong path now. */
const deleted = (side: string) => (error: unknown) => {
  if (!(error instanceof Rejected)) throw error;
  throw new Rejected('INVALID_INPUT', `The ${side} account of this quote has been deleted.`);
};

export const alreadyExecuted = () => new Rejected('CONFLICT', 'This quote has been executed already.');

const expired = ({ expiresAt }: QuoteTerms) =>
  new Rejected('QUOTE_EXPIRED', `The quote expired at ${expiresAt.toISOString()}. Create a new one.`, {
    expiresAt: expiresAt.toISOString(),
  });
