/**
 * What the platform wants to know of the other side and the service knows. Of another platform's customer nothing is told
 * here: that is for the other platform to say when it approves the payment.
 */

import type { ExternalAccountDetails } from '../external-accounts/external-account.ts';
import { anyOf, knownOf, type PayerFieldName } from '../lookups/payer-fields.ts';
import type { AskedFields, PartyInformation } from '../payments/ends.ts';
import type { QuoteDestination } from '../payments/parties/parties.ts';
import { type ActivePlatform, settingsOf } from '../platforms/platform.ts';

export function counterpartyInformation(
  platform: ActivePlatform,
  currency: string,
  destination: QuoteDestination,
): PartyInformation | undefined {
  const wanted = wantedIn(platform, currency);
  if (destination.kind === 'INTERNAL') return undefined;
  if (destination.kind === 'EXTERNAL') return anyOf(among(ofBeneficiary(destination.account), wanted));
  const { customer, information } = destination.receiver;
  if (!customer) return anyOf(among(information ?? {}, wanted));
  return customer.platformId === platform.platformId ? anyOf(knownOf(customer, wanted)) : undefined;
}

/** What the platform wants to know of whoever receives the currency. */
export const wantedIn = (platform: ActivePlatform, currency: string): AskedFields =>
  settingsOf(platform, currency)?.requiredCounterpartyFields ?? [];

/** What is said of the fields that are asked for. */
const among = (said: Said, asked: AskedFields): PartyInformation =>
  Object.fromEntries(
    asked.flatMap(({ name }) => {
      const value = said[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

type Said = Readonly<Record<string, string | undefined>>;

function ofBeneficiary({ accountInfo }: ExternalAccountDetails): Said {
  const beneficiary = 'beneficiary' in accountInfo ? accountInfo.beneficiary : undefined;
  if (!beneficiary) return {};
  if (beneficiary.beneficiaryType === 'BUSINESS') return { COMPANY_LEGAL_NAME: beneficiary.legalName };
  return {
    FULL_NAME: beneficiary.fullName,
    BIRTH_DATE: beneficiary.birthDate,
    NATIONALITY: beneficiary.nationality,
    EMAIL: beneficiary.email,
    PHONE_NUMBER: beneficiary.phoneNumber,
    COUNTRY_OF_RESIDENCE: beneficiary.countryOfResidence,
  } satisfies Partial<Record<PayerFieldName, string | undefined>>;
}
