/** Deleting a customer who has nothing left, and to whom nothing is on its way: no money is locked away. */
import type { ReadDb } from '../../../projections/database.ts';
import { openPaymentsOf } from '../../../projections/models/transactions.ts';
import { accountsOf } from '../../domain/accounts/provisioning.ts';
import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type InternalAccountId, type TransactionId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';

type Deps = {
  readonly commands: Commands;
  readonly listDb: ReadDb;
  /** Waits until the read models show what the log has now. */
  readonly shown: () => Promise<unknown>;
  readonly now: () => Date;
};
type Held = { readonly accountId: InternalAccountId } & Money;

/** A refusal names so many payments; there may be more. */
const namedMax = 10;

/** Throws `Rejected`: 409 where the customer has money or payments under way, 410 where it is deleted already. */
export async function deleteCustomer(
  { commands, listDb, shown, now }: Deps,
  customer: KnownCustomer,
  cause: Cause,
): Promise<KnownCustomer> {
  requireNotDeleted(customer);
  const { platformId, customerId, heldCurrencies, walletCurrency } = customer;
  const accountIds = accountsOf(customerId, heldCurrencies, walletCurrency);
  // In this order: what leaves an account between the two is a payment by then.
  const balances = await balancesOf(commands, accountIds);
  await shown();
  const payments = await openPaymentsOf(listDb, platformId, customerId, accountIds, namedMax);
  if (payments.length > 0 || balances.length > 0) throw stillThere(balances, payments);
  const command = { type: 'DeleteCustomer', at: now() } as const;
  const { state } = await commands.run('customer', uuidOf(customerId), command, cause);
  invariant(state.status !== 'none', 'deleted a customer who is not there');
  return state;
}

/** What the log says that is in the accounts, and what waits for room in them. */
async function balancesOf(
  commands: Commands,
  accountIds: readonly InternalAccountId[],
): Promise<readonly Held[]> {
  const accounts = await Promise.all(accountIds.map((id) => commands.load('account', uuidOf(id))));
  return accounts.flatMap((account) => {
    if (account.status === 'none') return [];
    const { accountId, currency, balance, held } = account;
    const minor = balance + held.minor;
    return minor > 0n ? [{ accountId, currency, minor }] : [];
  });
}

function stillThere(balances: readonly Held[], payments: readonly TransactionId[]): Rejected {
  const money = 'The customer still has money: transfer it out first.';
  const underway = 'Payments of the customer are under way: wait until they have ended.';
  const message = [balances.length > 0 && money, payments.length > 0 && underway].filter(Boolean).join(' ');
  return new Rejected('CONFLICT', message, {
    balances: balances.map(({ accountId, currency, minor: amount }) => ({ accountId, amount, currency })),
    transactions: payments,
  });
}
