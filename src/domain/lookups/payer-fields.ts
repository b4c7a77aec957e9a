/** What one side of a payment may ask about the other, and what is already known. */
import type { KnownCustomer } from '../customers/customer.ts';
import { lineOf } from '../values/address.ts';

export const payerFieldNames = [
  'FULL_NAME',
  'BIRTH_DATE',
  'NATIONALITY',
  'PHONE_NUMBER',
  'EMAIL',
  'POSTAL_ADDRESS',
  'TAX_ID',
  'REGISTRATION_NUMBER',
  'USER_TYPE',
  'COUNTRY_OF_RESIDENCE',
  'ACCOUNT_IDENTIFIER',
  'FI_LEGAL_ENTITY_NAME',
  'FI_ADDRESS',
  'PURPOSE_OF_PAYMENT',
  'ULTIMATE_INSTITUTION_COUNTRY',
  'IDENTIFIER',
  'BUSINESS_TYPE',
  'COMPANY_LEGAL_NAME',
  'ID_TYPE',
  'ID_NUMBER',
] as const;
export type PayerFieldName = (typeof payerFieldNames)[number];

export type RequiredField = { readonly name: PayerFieldName; readonly mandatory: boolean };

export const isPayerFieldName = (name: string): name is PayerFieldName =>
  payerFieldNames.some((known) => known === name);

/**
 * The value that the service itself knows of a customer; `undefined` when the platform has to send it. The number of an
 * identity document is not among them: it is kept for checks of the customer and told to nobody.
 */
export function knownField(customer: KnownCustomer, name: PayerFieldName): string | undefined {
  switch (name) {
    case 'FULL_NAME':
      return customer.fullName ?? customer.businessInfo?.legalName;
    case 'BIRTH_DATE':
      return customer.birthDate;
    case 'NATIONALITY':
      return customer.nationality;
    case 'PHONE_NUMBER':
      return customer.phoneNumber;
    case 'EMAIL':
      return customer.email;
    case 'COUNTRY_OF_RESIDENCE':
      return customer.address?.country ?? customer.region;
    case 'POSTAL_ADDRESS':
      return customer.address && lineOf(customer.address);
    case 'USER_TYPE':
      return customer.customerType;
    case 'ACCOUNT_IDENTIFIER':
      return customer.umaAddress;
    case 'ID_TYPE':
      return customer.idType;
    case 'COMPANY_LEGAL_NAME':
      return customer.businessInfo?.legalName;
    case 'REGISTRATION_NUMBER':
      return customer.businessInfo?.registrationNumber;
    case 'TAX_ID':
      return customer.businessInfo?.taxId;
    case 'BUSINESS_TYPE':
      return customer.businessInfo?.businessType;
    default:
      return undefined;
  }
}

type Asked = { readonly name: string; readonly mandatory: boolean };
type Information = Readonly<Record<string, string>>;

/** What is known of a customer among the fields that are asked for. */
export function knownOf(
  customer: KnownCustomer | undefined,
  asked: readonly Asked[],
): Record<string, string> {
  if (!customer) return {};
  const known = asked.flatMap(({ name }) => {
    const value = isPayerFieldName(name) ? knownField(customer, name) : undefined;
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(known);
}

/** The names of the mandatory fields that are not told. */
export const missingOf = (asked: readonly Asked[], told: Information): string[] =>
  asked.filter(({ name, mandatory }) => mandatory && !told[name]).map(({ name }) => name);

/** The fields that name the number of an identity document. */
const identifiers: readonly string[] = ['IDENTIFIER', 'ID_NUMBER'] satisfies PayerFieldName[];

/** The same without the number of an identity document: quotes from before told it. */
export const withoutIdentifiers = (told: Information): Record<string, string> =>
  Object.fromEntries(Object.entries(told).filter(([name]) => !identifiers.includes(name)));

/** `undefined` where there is nothing to tell. */
export const anyOf = <Told extends Information>(told: Told): Told | undefined =>
  Object.keys(told).length > 0 ? told : undefined;
