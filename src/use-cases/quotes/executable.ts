/** Whether a quote can be executed: it is open, and whoever pays and is paid by it can. */
import type { QuoteTerms } from '../../domain/payments/events.ts';
import { requirePayeeReady, requirePayerReady } from '../../domain/payments/parties/readiness.ts';
import type { PlatformId, QuoteId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { loadOwner } from '../find/account-owner.ts';
import { customersOnce, type FindCustomer } from '../find/customer.ts';
import { loadAccount } from '../find/parties.ts';
import type { Payees } from '../find/payees.ts';
import { knownQuote, loadQuote, type QuotedPayment } from '../find/quote.ts';
import { settled, together } from '../together.ts';

type Deps = {
  readonly commands: Commands;
  readonly payees: Pick<Payees, 'standing'>;
  readonly now: () => Date;
};

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

/** Throws `Rejected` for a quote that cannot be executed, or no longer. */
export const requireExecutable = (deps: Deps, payment: QuotedPayment): Promise<void> =>
  requireReady(deps, payment, () => findConcerned(deps, payment.terms.quote));

/** Who pays, from where, and what throws where nobody can be paid; nothing of a quote that is not executed. */
type Concerned = Awaited<ReturnType<typeof findConcerned>>;

async function findConcerned(deps: Pick<Deps, 'commands' | 'payees'>, quote: QuoteTerms) {
  const { platformId, customerId, source } = quote;
  const { commands } = deps;
  if (source.kind !== 'INTERNAL' && source.kind !== 'EXTERNAL') return undefined;
  const customerOf = customersOnce(commands, platformId);
  const [sender, from, to] = await Promise.all([
    customerOf(customerId),
    loadAccount(commands, platformId, source.accountId).catch(deleted('source')),
    settled(requirePaid(deps, quote, customerOf)),
  ]);
  return { sender, from, to };
}

/** Throws `Rejected` for a quote that cannot be executed, or no longer, by those whom `find` finds. */
export async function requireReady(
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

/** Whether the time of a quote that nobody has paid for is over, though that is not recorded yet. */
export const hasExpired = ({ status, terms: { quote } }: QuotedPayment, at: Date): boolean =>
  status === 'PENDING' && at >= quote.expiresAt;

/** Throws `Rejected` (409) for a quote that is over. */
export function requireOpen(payment: QuotedPayment, at: Date): void {
  const { status, terms } = payment;
  if (status === 'EXPIRED' || hasExpired(payment, at)) throw expired(terms.quote);
  if (status !== 'PENDING') throw alreadyExecuted();
}

/** Throws `Rejected` where nobody can be paid at the quote's destination any more, or not the one that it was for. */
async function requirePaid(
  deps: Pick<Deps, 'commands' | 'payees'>,
  quote: QuoteTerms,
  customerOf: FindCustomer,
): Promise<void> {
  if (quote.destination.kind === 'UMA_ADDRESS') await deps.payees.standing(quote);
  else await requireAccountPaid(deps, quote, customerOf);
}

/**
 * Throws `Rejected` where the account that the quote pays takes nothing now, or who owns it is not there any more. Who has
 * an address is not looked at: that is seen once the payment has its way, and a payee who cannot be paid fails it then
 * (decision 37).
 */
export async function requireAccountPaid(
  { commands }: Pick<Deps, 'commands'>,
  { platformId, destination }: QuoteTerms,
  customerOf: FindCustomer,
): Promise<void> {
  if (destination.kind === 'UMA_ADDRESS') return;
  const { kind, accountId } = destination;
  const paid = loadAccount(commands, platformId, accountId).catch(deleted('destination'));
  if (kind === 'INTERNAL') return requirePayeeReady(await paid, undefined);
  const findOwner = async () => (await paid).account.customerId;
  const owner = loadOwner(commands, platformId, accountId, findOwner, customerOf);
  requirePayeeReady(...(await together(paid, owner)));
}

/** An account that was there when the quote was made is not a wrong path now. */
const deleted = (side: string) => (error: unknown) => {
  if (!(error instanceof Rejected)) throw error;
  throw new Rejected('INVALID_INPUT', `The ${side} account of this quote has been deleted.`);
};

export const alreadyExecuted = () => new Rejected('CONFLICT', 'This quote has been executed already.');

export const expired = ({ expiresAt }: QuoteTerms) =>
  new Rejected('QUOTE_EXPIRED', `The quote expired at ${expiresAt.toISOString()}. Create a new one.`, {
    expiresAt: expiresAt.toISOString(),
  });
