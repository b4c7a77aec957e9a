/** Who is paid at a payment address, and on which account. */
import type { ReadDb } from '../../../projections/database.ts';
import { defaultDepositAccount } from '../../../projections/models/external-accounts.ts';
import { primaryAccount } from '../../domain/accounts/provisioning.ts';
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import type { DepositAccount, Payee } from '../../domain/payments/ends.ts';
import type { QuoteTerms } from '../../domain/payments/events.ts';
import type { Account, FoundPayee, Receiver } from '../../domain/payments/parties/parties.ts';
import { standingPayee } from '../../domain/payments/parties/payee.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';
import type { Receivers } from './receivers.ts';

type Deps = { readonly commands: Commands; readonly readDb: ReadDb; readonly receivers: Receivers };

export type Payees = {
  /** The one whom a payment in the currency to the receiver would pay. */
  readonly find: (receiver: Receiver, currency: string) => Promise<FoundPayee>;
  /** The one whom the quote pays. Throws `Rejected` where it does not hold the address any more, or cannot be paid. */
  readonly standing: (quote: QuoteTerms) => Promise<Payee>;
  /** The customer's default external account where there is one, else the primary internal account. */
  readonly depositAccount: (customer: KnownCustomer, currency: string) => Promise<DepositAccount>;
};

export function createPayees({ commands, readDb, receivers }: Deps): Payees {
  const depositAccount: Payees['depositAccount'] = async ({ platformId, customerId }, currency) => {
    const external = await defaultDepositAccount(readDb, platformId, customerId, currency);
    if (external) return { kind: 'EXTERNAL', accountId: external };
    return { kind: 'INTERNAL', accountId: primaryAccount(customerId, currency) };
  };
  const asItStands = async (payee: Payee): Promise<FoundPayee> =>
    payee.kind === 'OUTSIDE'
      ? { payee }
      : { payee, account: await loadDepositAccount(commands, payee.account) };
  const find: Payees['find'] = async ({ customer }, currency) => {
    if (!customer) return { payee: { kind: 'OUTSIDE' } };
    const { platformId, customerId } = customer;
    const account = await depositAccount(customer, currency);
    return asItStands({ kind: 'CUSTOMER', platformId, customerId, account });
  };
  return {
    find,
    depositAccount,
    async standing({ platformId, destination, receiving: { currency }, payee }) {
      invariant(destination.kind === 'UMA_ADDRESS', 'the payee of an account');
      const receiver = await receivers.find(destination.umaAddress);
      // Quotes from before payees were fixed pay whoever holds the address now.
      const found = payee ? await asItStands(payee) : receiver && (await find(receiver, currency));
      return standingPayee(receiver, found, currency, platformId);
    },
  };
}

async function loadDepositAccount(
  commands: Commands,
  { kind, accountId }: DepositAccount,
): Promise<Account | undefined> {
  if (kind === 'INTERNAL') {
    const account = await commands.load('account', uuidOf(accountId));
    return account.status === 'none' ? undefined : { kind, account };
  }
  const account = await commands.load('externalAccount', uuidOf(accountId));
  return account.kind === 'registered' && !account.isDeleted ? { kind, account: account.details } : undefined;
}
