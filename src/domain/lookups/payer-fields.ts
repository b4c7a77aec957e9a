/** What a receiving side may ask about the payer, and what is already known. */
import type { KnownCustomer } from '../customers/customer.ts';

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

/** The value that the service itself knows of a customer; `undefined` when the platform has to send it. */
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
      return (
        customer.address &&
        [customer.address.line1, customer.address.postalCode, customer.address.country].join(', ')
      );
    case 'USER_TYPE':
      return customer.customerType;
    case 'ACCOUNT_IDENTIFIER':
      return customer.umaAddress;
    case 'ID_TYPE':
      return customer.idType;
    case 'IDENTIFIER':
    case 'ID_NUMBER':
      return customer.identifier;
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

/** The mandatory fields that neither the platform has sent nor the service knows. */
export const missingFields = (
  required: readonly RequiredField[],
  customer: KnownCustomer | undefined,
  sent: Readonly<Record<string, string>>,
): PayerFieldName[] =>
  required
    .filter(({ name, mandatory }) => mandatory && !sent[name] && !(customer && knownField(customer, name)))
    .map(({ name }) => name);
