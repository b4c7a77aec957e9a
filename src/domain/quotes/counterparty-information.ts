/**
 * What the platform wants to know of the other side and the service knows. Of another platform's customer nothing is told
 * here: that is for the other platform to say when it approves the payment.
 */

import type { KnownCustomer } from '../customers/customer.ts';
import type { Beneficiary } from '../external-accounts/beneficiary.ts';
import type { ExternalAccountDetails } from '../external-accounts/external-account.ts';
import { anyOf, knownOf, type PayerFieldName } from '../lookups/payer-fields.ts';
import type { AskedFields, PartyInformation } from '../payments/ends.ts';
import type { QuoteDestination } from '../payments/parties/parties.ts';
import { type ActivePlatform, settingsOf } from '../platforms/platform.ts';
import { lineOf } from '../values/address.ts';

/** `recipient` is who owns the internal account that is paid. */
export function counterpartyInformation(
  platform: ActivePlatform,
  currency: string,
  destination: QuoteDestination,
  recipient?: KnownCustomer,
): PartyInformation | undefined {
  const wanted = wantedIn(platform, currency);
  if (destination.kind === 'INTERNAL') return anyOf(knownOf(recipient, wanted));
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
type Known = Partial<Record<PayerFieldName, string | undefined>>;

/** The number of an identity document is left out here, too. */
function ofBeneficiary({ accountInfo }: ExternalAccountDetails): Said {
  const beneficiary = 'beneficiary' in accountInfo ? accountInfo.beneficiary : undefined;
  if (!beneficiary) return {};
  const { address } = beneficiary;
  return {
    ...nameOf(beneficiary),
    USER_TYPE: beneficiary.beneficiaryType,
    EMAIL: beneficiary.email,
    PHONE_NUMBER: beneficiary.phoneNumber,
    POSTAL_ADDRESS: address && lineOf(address),
    COUNTRY_OF_RESIDENCE: beneficiary.countryOfResidence ?? address?.country,
    REGISTRATION_NUMBER: beneficiary.registrationNumber,
    ID_TYPE: beneficiary.documentType,
  } satisfies Known;
}

/** What each kind of beneficiary has alone. */
function nameOf(beneficiary: Beneficiary): Known {
  if (beneficiary.beneficiaryType === 'BUSINESS') {
    const { legalName, taxId } = beneficiary;
    return { FULL_NAME: legalName, COMPANY_LEGAL_NAME: legalName, TAX_ID: taxId };
  }
  const { fullName, birthDate, nationality } = beneficiary;
  return { FULL_NAME: fullName, BIRTH_DATE: birthDate, NATIONALITY: nationality };
}
