/** Money that arrived outside, on its way to the account that its payer named. */
import type { ReadDb } from '../../../projections/database.ts';
import { accountsNamed } from '../../../projections/models/funding-references.ts';
import { referencesIn } from '../../domain/accounts/funding-identifiers.ts';
import type { OpenAccount } from '../../domain/accounts/state.ts';
import { findCurrency } from '../../domain/money/currencies.ts';
import type { Arrival, ArrivedMoney } from '../../domain/ports/rail-module.ts';
import type { UntilAllShown } from '../../infrastructure/event-store/all-shown.ts';
import { derivedUuid, idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { creditDeposit } from './deposit.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly now: () => Date;
  readonly untilAllShown: UntilAllShown;
};

const bankReferenceMax = 255;

/**
 * Credits arrived money, once for each reference of the bank. Throws where the rail's own data cannot be, and `Rejected`
 * (SERVICE_UNAVAILABLE) where nobody can say yet whom it names, or whether that account takes it.
 */
export const createArrivals =
  (deps: Deps) =>
  async (money: ArrivedMoney): Promise<Arrival> => {
    const { bankReference, amount, named, refusalIsFinal = false } = money;
    requirePossible(money);
    const uuid = derivedUuid('arrived-money', bankReference);
    const transactionId = idOf('Transaction', uuid);
    const booked = await deps.commands.load('transaction', uuid);
    if (booked.status !== 'NONE') return { status: 'known', transactionId };
    const account = await findNamed(deps, named, amount.currency);
    if (!account) return { status: 'unmatched' };
    const { platformId } = account;
    const cause = { platformId, correlationId: transactionId, causationId: transactionId, actor: 'rail' };
    const deposit = { uuid, minor: amount.minor, requestedBy: transactionId, refusalIsFinal };
    try {
      await creditDeposit(deps, account, deposit, cause);
      return { status: 'credited', transactionId };
    } catch (error) {
      if (!(error instanceof Rejected) || error.code === 'SERVICE_UNAVAILABLE') throw error;
      return { status: 'refused', code: error.code, message: error.message };
    }
  };

function requirePossible({ bankReference, amount: { minor, currency } }: ArrivedMoney): void {
  const isReference = bankReference.length > 0 && bankReference.length <= bankReferenceMax;
  invariant(isReference, `a bank reference has 1 to ${bankReferenceMax} characters`);
  invariant(minor > 0n, 'arrived money is more than nothing');
  invariant(findCurrency(currency) !== undefined, `money in an unknown currency ${currency}`);
}

/** The one account in this currency that is named; nobody where two are. */
async function findNamed(
  { commands, readDb, untilAllShown }: Deps,
  named: readonly string[],
  currency: string,
): Promise<OpenAccount | undefined> {
  const references = [...new Set(named.flatMap(referencesIn))];
  let ids = await accountsNamed(readDb, references);
  // Whose a reference is the read models may not show yet; whoever hears that it is nobody's keeps the money for an operator.
  if (ids.length < references.length) {
    await untilAllShown();
    ids = await accountsNamed(readDb, references);
  }
  const states = await Promise.all(ids.map((id) => commands.load('account', uuidOf(id))));
  const [only, ...others] = states
    .filter((state) => state.status !== 'none')
    .filter((state) => state.currency === currency);
  return others.length === 0 ? only : undefined;
}
