/**
 * Deleting a customer who has nothing left, and to whom nothing is on its way: no money is locked away. What is found is
 * true to the end, since the accounts are halted meanwhile; the customer's stream says whether a deletion is done or
 * abandoned, so that several at once, and one that was cut short, end alike (docs/decisions/0051).
 */
import type { ReadDb } from '../../../projections/database.ts';
import { openPaymentsOf } from '../../../projections/models/open-payments.ts';
import { accountsOf, accountsToHalt } from '../../domain/accounts/provisioning.ts';
import { statusOfNewAccount } from '../../domain/customers/account-status.ts';
import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { UntilAllShown } from '../../infrastructure/event-store/all-shown.ts';
import { type InternalAccountId, type TransactionId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';

type Deps = {
  readonly commands: Commands;
  readonly listDb: ReadDb;
  readonly untilAllShown: UntilAllShown;
  readonly now: () => Date;
};
type Held = { readonly accountId: InternalAccountId } & Money;

/** A refusal names so many payments; there may be more. */
const namedMax = 10;
/** A deletion that another request abandoned is begun again, so many times in all. */
const attemptsMax = 3;

/**
 * Throws `Rejected`: 409 where the customer has money or payments under way, 410 where it is deleted already, 503 where
 * the read models do not have what may be under way.
 */
export async function deleteCustomer(
  deps: Deps,
  customer: KnownCustomer,
  cause: Cause,
): Promise<KnownCustomer> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    // Who has something left is told so before anything is halted.
    await requireNothingLeft(deps, attempt === 1 ? customer : await known(deps, customer));
    const deleted = await tryToDelete(deps, customer, cause);
    if (deleted.status === 'deleted') return deleted;
  }
  throw new Rejected('CONFLICT', 'Other requests abandon the deletion of the customer again and again.');
}

/** The customer, who is not deleted where another request has abandoned the deletion or opened accounts meanwhile. */
async function tryToDelete(deps: Deps, { customerId }: KnownCustomer, cause: Cause): Promise<KnownCustomer> {
  const uuid = uuidOf(customerId);
  const run = async (command: Parameters<typeof deps.commands.run<'customer'>>[2]) => {
    const { state } = await deps.commands.run('customer', uuid, command, cause);
    invariant(state.status !== 'none', 'deleted a customer who is not there');
    return state;
  };
  const customer = await run({ type: 'BeginDeletion', at: deps.now() });
  const deletion = customer.deletion?.n ?? 0;
  const abandon = () => run({ type: 'AbandonDeletion', deletion, at: deps.now() });
  try {
    await halt(deps, customer, deletion, cause);
    await requireNothingLeft(deps, customer);
  } catch (error) {
    await abandon();
    throw error;
  }
  const after = await run({ type: 'DeleteCustomer', deletion, at: deps.now() });
  return after.status === 'deleted' ? after : abandon();
}

async function known({ commands }: Deps, { customerId }: KnownCustomer): Promise<KnownCustomer> {
  const customer = await commands.load('customer', uuidOf(customerId));
  invariant(customer.status !== 'none', 'deleting a customer who is not there');
  return customer;
}

async function halt(
  { commands, now }: Deps,
  { platformId, customerId, heldCurrencies: currencies, walletCurrency, kycStatus }: KnownCustomer,
  deletion: number,
  cause: Cause,
): Promise<void> {
  const status = statusOfNewAccount(kycStatus);
  const owner = { platformId, ownerId: customerId, customerId, currencies, walletCurrency, status } as const;
  for (const { to, uuid, command } of accountsToHalt({ ...owner, at: now() }, deletion))
    await commands.run(to, uuid, command, cause);
}

/** Throws `Rejected` as `deleteCustomer` does. */
async function requireNothingLeft(
  { commands, listDb, untilAllShown }: Pick<Deps, 'commands' | 'listDb' | 'untilAllShown'>,
  customer: KnownCustomer,
): Promise<void> {
  requireNotDeleted(customer);
  const { platformId, customerId, heldCurrencies, walletCurrency } = customer;
  const accountIds = accountsOf(customerId, heldCurrencies, walletCurrency);
  await untilAllShown();
  // In this order: what a payment that has ended by now has brought is in the balances.
  const payments = await openPaymentsOf(listDb, platformId, customerId, accountIds, namedMax);
  const balances = await balancesOf(commands, accountIds);
  if (payments.length > 0 || balances.length > 0) throw stillThere(balances, payments);
}

/** What the log says that is in the accounts, and what waits in them. */
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
