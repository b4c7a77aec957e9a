/** Money that arrived outside, on its way to the account, or the quote, that its payer named. */
import type { ReadDb } from '../../../projections/database.ts';
import { namedBy } from '../../../projections/models/funding-references.ts';
import { referencesIn } from '../../domain/accounts/funding-identifiers.ts';
import type { OpenAccount } from '../../domain/accounts/state.ts';
import { findCurrency } from '../../domain/money/currencies.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import { type Arrival, type ArrivedMoney, decisionPattern } from '../../domain/ports/rail-module.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { UntilAllShown } from '../../infrastructure/event-store/all-shown.ts';
import type { MovedStreams } from '../../infrastructure/event-store/moved-streams.ts';
import {
  derivedUuid,
  type InternalAccountId,
  idOf,
  isId,
  type TransactionId,
  uuidOf,
} from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected, type RejectionCode, saysNo } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { isQuoted, type QuotedPayment } from '../find/quote.ts';
import { claiming, toldOtherwise } from './arrival-claims.ts';
import { creditDeposit } from './deposit.ts';
import { fundQuote } from './quote-funds.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly now: () => Date;
  readonly untilAllShown: UntilAllShown;
  /** There in a sandbox only. */
  readonly moved: Pick<MovedStreams, 'holding'> | undefined;
};

/** An account, or the payment of a quote. */
type Found = OpenAccount | QuotedPayment;

const bankReferenceMax = 255;
const retryAfterSeconds = 1;

/**
 * Credits arrived money, or runs the quote that it is for, once for each reference of the bank. Throws where the rail's own
 * data cannot be, and `Rejected` (SERVICE_UNAVAILABLE) where nobody can say yet whom it names, or whether that account takes
 * it.
 */
export const createArrivals =
  (deps: Deps) =>
  async (money: ArrivedMoney): Promise<Arrival> => {
    const { bankReference, amount, named, refusalIsFinal = false } = money;
    requirePossible(money);
    const transactionId = idOf('Transaction', derivedUuid('arrived-money', bankReference));
    const booked = await deps.commands.load('transaction', uuidOf(transactionId));
    if (booked.status !== 'NONE') return credited(deps, booked, money).catch(refusedIf(() => true));
    const found = await findNamed(deps, named, amount.currency);
    if (!found) return { status: 'unmatched' };
    return 'terms' in found
      ? payIn(deps, found, money, transactionId).catch(refusedIf(isOfOverQuote))
      : credit(deps, found, money, transactionId).catch(refusedIf(() => refusalIsFinal));
  };

/** With these a quote refuses that is over, is of another amount, or is not whose the money is: that stays so. */
const isOfOverQuote = (code: RejectionCode): boolean =>
  code === 'QUOTE_EXPIRED' || code === 'CONFLICT' || code === 'INVALID_AMOUNT';

const refusedIf =
  (stays: (code: RejectionCode) => boolean) =>
  (error: unknown): Arrival => {
    if (!saysNo(error)) throw error;
    const { code, message } = error;
    return { status: 'refused', code, message, stays: stays(code) };
  };

/** Throws `Rejected` where it was of another amount, or for another account. */
async function credited(deps: Deps, booked: Payment, money: ArrivedMoney): Promise<Arrival> {
  const told = known(booked, money);
  if (money.isOnStatement) return told;
  const found = await findNamed(deps, money.named, money.amount.currency);
  const { destination } = booked.terms;
  const isOther =
    found &&
    !('accountId' in found && 'accountId' in destination && found.accountId === destination.accountId);
  if (isOther) throw toldOtherwise();
  return told;
}

/** Throws `Rejected` where it was of another amount. */
function known({ terms: { transactionId, sending } }: Payment, { amount }: ArrivedMoney): Arrival {
  if (sending.minor !== amount.minor || sending.currency !== amount.currency) throw toldOtherwise();
  return { status: 'known', transactionId };
}

async function credit(
  deps: Deps,
  account: OpenAccount,
  { bankReference, amount, refusalIsFinal = false, decision }: ArrivedMoney,
  transactionId: TransactionId,
): Promise<Arrival> {
  const cause = causeOf(account.platformId, transactionId);
  const uuid = uuidOf(transactionId);
  const deposit = { uuid, minor: amount.minor, requestedBy: transactionId, refusalIsFinal, decision };
  const isFinal = () => refusalIsFinal;
  const claim = { bankReference, amount, decision, holder: account.accountId, isFinal };
  await claiming(deps, claim, cause, (take) =>
    creditDeposit(deps, account, { ...deposit, take }, cause),
  ).catch(async (error: unknown) => {
    throw !refusalIsFinal && (await wasHalted(deps, account, error)) ? mayBeTaken() : error;
  });
  return { status: 'credited', transactionId };
}

/** An account that is active and takes nothing is one whose customer is being deleted, or was: that may be abandoned. */
async function wasHalted({ commands }: Deps, { accountId }: OpenAccount, error: unknown): Promise<boolean> {
  if (!(error instanceof Rejected) || error.code !== 'USER_NOT_READY') return false;
  const { status } = await commands.load('account', uuidOf(accountId));
  return status === 'ACTIVE';
}

const mayBeTaken = () => later('The customer of the account is being deleted, which may be abandoned.');

/** Told by the payment of the quote: what arrived has none of its own. */
async function payIn(
  deps: Deps,
  quote: QuotedPayment,
  money: ArrivedMoney,
  arrivalId: TransactionId,
): Promise<Arrival> {
  const { bankReference, amount } = money;
  const { platformId, transactionId } = quote.terms;
  const cause = causeOf(platformId, arrivalId);
  const claim = { bankReference, amount, holder: transactionId, isFinal: isOfOverQuote };
  const isNew = await claiming(deps, claim, cause, (take) =>
    fundQuote(deps, quote, { amount, requestedBy: arrivalId, take }, cause),
  );
  return isNew ? { status: 'credited', transactionId } : known(quote, money);
}

const causeOf = (platformId: OpenAccount['platformId'], arrivalId: TransactionId): Cause => ({
  platformId,
  correlationId: arrivalId,
  causationId: arrivalId,
  actor: 'rail',
});

function requirePossible({ bankReference, decision, amount: { minor, currency } }: ArrivedMoney): void {
  const isReference = bankReference.length > 0 && bankReference.length <= bankReferenceMax;
  invariant(isReference, `a bank reference has 1 to ${bankReferenceMax} characters`);
  invariant(decision === undefined || decisionPattern.test(decision), `no name of a decision: ${decision}`);
  invariant(minor > 0n, 'arrived money is more than nothing');
  invariant(findCurrency(currency) !== undefined, `money in an unknown currency ${currency}`);
}

/** The one account or quote in this currency that is named; nobody where two are. */
async function findNamed(
  { commands, readDb, untilAllShown, moved }: Deps,
  named: readonly string[],
  currency: string,
): Promise<Found | undefined> {
  const references = [...new Set(named.flatMap(referencesIn))];
  let ids = await namedBy(readDb, references);
  // Whose a reference is the read models may not show yet; whoever hears that it is nobody's keeps the money for an operator.
  if (ids.length < references.length) {
    const wasHeld = moved?.holding();
    await untilAllShown();
    ids = await namedBy(readDb, references);
    if (ids.length < references.length && wasHeld?.()) throw mayBeMissing();
  }
  const found = await Promise.all(ids.map((id) => foundBy(commands, id)));
  const [only, ...others] = found
    .filter((one) => one !== undefined)
    .filter((one) => ('terms' in one ? one.terms.sending.currency : one.currency) === currency);
  return others.length === 0 ? only : undefined;
}

/** Of a platform that goes back to a snapshot nothing is shown until the log has its copies. */
const mayBeMissing = () =>
  later('A platform keeps or restores a snapshot, and whom this names may be missing meanwhile.');

const later = (why: string) =>
  new Rejected('SERVICE_UNAVAILABLE', `${why} Send it again in ${retryAfterSeconds} second.`, {
    retryAfterSeconds,
  });

async function foundBy(
  commands: Commands,
  id: InternalAccountId | TransactionId,
): Promise<Found | undefined> {
  if (isId('Transaction', id)) {
    const payment = await commands.load('transaction', uuidOf(id));
    return payment.status !== 'NONE' && isQuoted(payment) ? payment : undefined;
  }
  const account = await commands.load('account', uuidOf(id));
  return account.status === 'none' ? undefined : account;
}
