/** What the platform wants to know of the other side and the service knows. */

import { isPayerFieldName, knownField, type PayerFieldName } from '../lookups/payer-fields.ts';
import type { QuoteDestination } from '../payments/parties/parties.ts';
import { type ActivePlatform, settingsOf } from '../platforms/platform.ts';

export function counterpartyInformation(
  platform: ActivePlatform,
  currency: string,
  destination: QuoteDestination,
): Record<string, string> | undefined {
  const wanted = settingsOf(platform, currency)?.requiredCounterpartyFields ?? [];
  const known = wanted.flatMap(({ name }) => {
    const value = isPayerFieldName(name) ? knownOf(destination, name) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

function knownOf(destination: QuoteDestination, name: PayerFieldName): string | undefined {
  if (destination.kind === 'UMA_ADDRESS') {
    const { customer } = destination.receiver;
    return customer && knownField(customer, name);
  }
  if (destination.kind === 'INTERNAL') return undefined;
  const { accountInfo } = destination.account;
  const beneficiary = 'beneficiary' in accountInfo ? accountInfo.beneficiary : undefined;
  if (!beneficiary) return undefined;
  if (beneficiary.beneficiaryType === 'BUSINESS')
    return name === 'COMPANY_LEGAL_NAME' ? beneficiary.legalName : undefined;
  const fields: Partial<Record<PayerFieldName, string | undefined>> = {
    FULL_NAME: beneficiary.fullName,
    BIRTH_DATE: beneficiary.birthDate,
    NATIONALITY: beneficiary.nationality,
    EMAIL: beneficiary.email,
    PHONE_NUMBER: beneficiary.phoneNumber,
    COUNTRY_OF_RESIDENCE: beneficiary.countryOfResidence,
  };
  return fields[name];
}
