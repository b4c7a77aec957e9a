import { z } from 'zod';
import { InvariantViolation, invariant } from '../../kernel/invariant.ts';
import { onFileText } from '../../kernel/on-file.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import { findCurrency, requireKnownCurrencies } from '../money/currencies.ts';
import type { Columns } from './account-type.ts';
import { accountTypes } from './account-types.ts';
import type { PaymentRail } from './payment-rails.ts';

type Row = (typeof accountTypes)[number];

export type AccountType = Row['accountType'];
export type AccountTypeDefinition = Columns & { readonly accountType: AccountType };

const requestOf = (row: Row) => row.request;
const responseOf = (row: Row) => row.response;

const [firstRow, ...otherRows] = accountTypes;
invariant(firstRow !== undefined, 'no account types');

/** What a platform sends to register an account. Unknown fields are dropped; every bad field is an issue. */
export const accountInfoSchema = z
  .discriminatedUnion('accountType', [requestOf(firstRow), ...otherRows.map(requestOf)])
  .meta({ id: 'AccountInfo' });

/** What the interface shows: the account as sent, with the rails that reach it. */
export const accountInfoResponseSchema = z
  .discriminatedUnion('accountType', [responseOf(firstRow), ...otherRows.map(responseOf)])
  .meta({ id: 'AccountInfoWithRails', description: onFileText });

export type AccountInfo = z.output<typeof accountInfoSchema>;

export const definitions: readonly AccountTypeDefinition[] = accountTypes;

const byAccountType = new Map<string, AccountTypeDefinition>(
  definitions.map((definition) => [definition.accountType, definition]),
);

export function definitionOf(accountType: AccountType): AccountTypeDefinition {
  const definition = byAccountType.get(accountType);
  invariant(definition !== undefined, `unknown account type ${accountType}`);
  return definition;
}

/** A wallet has none. */
export const railsOf = (accountType: AccountType): readonly PaymentRail[] => definitionOf(accountType).rails;

/** The rail of a payment to the account that names none: one that reaches what the account is found by. */
export function defaultRailOf(info: AccountInfo): PaymentRail | undefined {
  const { rails, railBy } = definitionOf(info.accountType);
  const [field] = decisiveField(info);
  return railBy?.[field] ?? rails[0];
}

/** Throws `Rejected` for a rail that accounts of this type do not have. */
export function requireRail(
  { accountType }: Pick<AccountInfo, 'accountType'>,
  rail: string | undefined,
): void {
  const rails = railsOf(accountType);
  if (rail === undefined || rails.some((one) => one === rail)) return;
  throw badField('destination.paymentRail', `must be one of the rails of ${accountType}`, {
    enum: [...rails],
  });
}

/** The account type named after a fiat currency: EUR gives EUR_ACCOUNT. A cryptocurrency has several, so none here. */
export const accountTypeOfCurrency = (currency: string): AccountType | undefined =>
  findCurrency(currency)?.kind === 'fiat' ? byAccountType.get(`${currency}_ACCOUNT`)?.accountType : undefined;

/**
 * The rail by which a fiat currency arrives where nothing is known of the account: that of the type named after it, else
 * that of the accounts which any bank keeps in any currency. A cryptocurrency has none.
 */
export function railOfCurrency(currency: string): PaymentRail | undefined {
  if (findCurrency(currency)?.kind !== 'fiat') return undefined;
  return railsOf(accountTypeOfCurrency(currency) ?? 'SWIFT_ACCOUNT')[0];
}

/** Whether an account of this type can hold this currency. */
export function allowsCurrency(accountType: AccountType, currency: string): boolean {
  const { currencies } = definitionOf(accountType);
  if (currencies === undefined) return accountTypeOfCurrency(currency) === accountType;
  if (currencies === 'any fiat') return findCurrency(currency)?.kind === 'fiat';
  return currencies.includes(currency);
}

/** Throws `Rejected` for a currency that an account of this type does not hold, or nobody. */
export function requireHeldBy(accountType: AccountType, currency: string): void {
  requireKnownCurrencies([currency]);
  if (allowsCurrency(accountType, currency)) return;
  throw new Rejected('INVALID_CURRENCY', `A ${accountType} does not hold ${currency}.`, {
    currencies: [currency],
  });
}

/** The value that says which account this is: it decides duplicates, and in the sandbox the outcome of payments. */
export const primaryIdentifier = (info: AccountInfo): string => decisiveField(info)[1];

function decisiveField(info: AccountInfo): readonly [field: string, value: string] {
  const fields = new Map<string, unknown>(Object.entries(info));
  for (const field of definitionOf(info.accountType).identifiers) {
    const value = fields.get(field);
    if (typeof value === 'string') return [field, value];
  }
  throw new InvariantViolation(`${info.accountType} without an identifier`);
}

/** By what an account is known to be the same as another one: an IBAN is, however its letters are written. */
export function identityOf(info: AccountInfo): string {
  const identifier = primaryIdentifier(info);
  return 'iban' in info && info.iban === identifier ? identifier.toUpperCase() : identifier;
}

/** What money is drawn from an account by. */
export const pullRail: PaymentRail = 'ACH';

/** Whether money can be drawn from the account: from USD accounts, by ACH. */
export const isPullable = (info: AccountInfo): boolean =>
  info.accountType === 'USD_ACCOUNT' && railsOf(info.accountType).includes(pullRail);
