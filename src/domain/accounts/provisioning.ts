/** Which accounts come into being by themselves: one per currency, and a wallet where the platform has one. */

import {
  type CustomerId,
  derivedUuid,
  type InternalAccountId,
  idOf,
  type PlatformId,
} from '../../kernel/ids.ts';
import type { Instruction } from '../aggregates.ts';
import { findCurrency } from '../money/currencies.ts';
import type { AccountStatus, AccountType } from './events.ts';

type Owner = {
  readonly platformId: PlatformId;
  /** The customer, or the platform for its own accounts: account ids follow from it, so a repeat opens nothing. */
  readonly ownerId: string;
  readonly customerId: CustomerId | null;
  readonly currencies: readonly string[];
  readonly walletCurrency?: string | undefined;
  readonly status: AccountStatus;
  readonly at: Date;
};

/** The accounts of a new customer or platform. */
export function accountsToOpen({ currencies, walletCurrency, ...owner }: Owner): readonly Instruction[] {
  const held = [...new Set(currencies)].map((code) => open(owner, heldType(code), code));
  return walletCurrency ? [...held, open(owner, 'EMBEDDED_WALLET', walletCurrency)] : held;
}

/** The same, and the accounts that are open already enter the status too. */
export const accountsToHold = (owner: Owner & { status: 'ACTIVE' | 'CLOSED' }): readonly Instruction[] =>
  accountsToOpen(owner).flatMap((opening) => {
    const command = { type: 'ChangeAccountStatus', status: owner.status, at: owner.at } as const;
    return [opening, { to: 'account', uuid: opening.uuid, command }];
  });

/** The same, and all of them are halted for a deletion of their customer. */
export const accountsToHalt = (owner: Owner, deletion: number): readonly Instruction[] =>
  accountsToOpen(owner).flatMap((opening) => {
    const command = { type: 'HaltAccount', deletion, at: owner.at } as const;
    return [opening, { to: 'account', uuid: opening.uuid, command }];
  });

/** The account that takes the incoming payments of a customer in a currency, or of a platform itself. */
export const primaryAccount = (ownerId: CustomerId | PlatformId, currency: string): InternalAccountId =>
  idOf('InternalAccount', derivedUuid('internal-account', ownerId, heldType(currency), currency));

/** The embedded wallet of a customer whose platform gives its customers one. */
export const walletAccount = (customerId: CustomerId, walletCurrency: string): InternalAccountId =>
  idOf('InternalAccount', derivedUuid('internal-account', customerId, 'EMBEDDED_WALLET', walletCurrency));

/** Where a customer keeps a currency: its account in it, else its wallet. `undefined` where it has neither. */
export function accountIn(
  { customerId, heldCurrencies, walletCurrency }: Holdings,
  currency: string,
): InternalAccountId | undefined {
  if (heldCurrencies.includes(currency)) return primaryAccount(customerId, currency);
  return walletCurrency === currency ? walletAccount(customerId, currency) : undefined;
}

type Holdings = {
  readonly customerId: CustomerId;
  readonly heldCurrencies: readonly string[];
  readonly walletCurrency?: string | undefined;
};

/** Every account that a customer has been given, by its currencies. */
export const accountsOf = (
  customerId: CustomerId,
  currencies: readonly string[],
  walletCurrency?: string,
): readonly InternalAccountId[] => [
  ...currencies.map((currency) => primaryAccount(customerId, currency)),
  ...(walletCurrency === undefined ? [] : [walletAccount(customerId, walletCurrency)]),
];

const heldType = (currency: string): AccountType =>
  findCurrency(currency)?.kind === 'crypto' ? 'INTERNAL_CRYPTO' : 'INTERNAL_FIAT';

function open(
  { platformId, ownerId, customerId, status, at }: Omit<Owner, 'currencies' | 'walletCurrency'>,
  accountType: AccountType,
  currency: string,
): Instruction {
  const uuid = derivedUuid('internal-account', ownerId, accountType, currency);
  const accountId = idOf('InternalAccount', uuid);
  const opening = { platformId, accountId, customerId, accountType, currency, status, at };
  return { to: 'account', uuid, command: { type: 'OpenAccount', ...opening } };
}
