/** What a new customer looks like once everything left out has been filled in. */

import type { CustomerId } from '../../kernel/ids.ts';
import { requireSupported } from '../platforms/limits.ts';
import type { ActivePlatform } from '../platforms/platform.ts';
import { requirePast } from '../values/dates.ts';
import { currencyOfRegion, regionOfCurrency } from '../values/regions.ts';
import type { CustomerDetails } from './customer.ts';
import type { KycStatus } from './events.ts';
import { addressOf } from './names.ts';

type Contact = Pick<CustomerDetails, 'address' | 'email' | 'phoneNumber'>;
type Person = Pick<
  CustomerDetails,
  'fullName' | 'birthDate' | 'nationality' | 'idType' | 'identifier' | 'countryOfIssuance'
>;

/** What is asked of a new customer: whatever is left out is filled in. */
export type CustomerRequest = Contact & {
  readonly platformCustomerId?: string | undefined;
  readonly umaAddress?: string | undefined;
  readonly region?: string | undefined;
  readonly currencies?: readonly string[] | undefined;
} & (
    | (Person & { readonly customerType: 'INDIVIDUAL'; readonly kycStatus?: KycStatus | undefined })
    | {
        readonly customerType: 'BUSINESS';
        readonly businessInfo: NonNullable<CustomerDetails['businessInfo']>;
        readonly kybStatus?: KycStatus | undefined;
      }
  );

type Chosen = {
  readonly customerId: CustomerId;
  /** Used where the platform gave no id of its own. */
  readonly platformCustomerId: string;
  /** Used before the `@` where no payment address was given. */
  readonly addressName: string;
  readonly at: Date;
};

/** Throws `Rejected` for what the platform does not support. */
export function newCustomer(
  request: CustomerRequest,
  platform: ActivePlatform,
  chosen: Chosen,
): CustomerDetails {
  if (request.customerType === 'BUSINESS')
    requirePast('businessInfo.incorporatedOn', request.businessInfo.incorporatedOn, chosen.at);
  else requirePast('birthDate', request.birthDate, chosen.at);
  const currencies = currenciesOf(request, platform);
  const { address, email, phoneNumber } = request;
  return {
    platformId: platform.platformId,
    customerId: chosen.customerId,
    platformCustomerId: request.platformCustomerId ?? chosen.platformCustomerId,
    customerType: request.customerType,
    umaAddress: addressOf(request.umaAddress ?? `$${chosen.addressName}@${platform.umaDomain}`, platform),
    region: request.region ?? regionOfCurrency(currencies[0] ?? '') ?? platform.defaultRegion,
    currencies,
    walletCurrency: platform.walletCurrency,
    kycStatus: platform.environment === 'sandbox' ? statusInSandbox(request) : 'UNVERIFIED',
    address,
    email,
    phoneNumber,
    ...aboutItself(request),
    at: chosen.at,
  };
}

/** A business starts unverified everywhere. */
const statusInSandbox = (request: CustomerRequest): KycStatus =>
  request.customerType === 'BUSINESS'
    ? (request.kybStatus ?? 'UNVERIFIED')
    : (request.kycStatus ?? 'APPROVED');

function aboutItself(request: CustomerRequest) {
  if (request.customerType === 'BUSINESS') return { businessInfo: request.businessInfo };
  const { fullName, birthDate, nationality, idType, identifier, countryOfIssuance } = request;
  return { fullName, birthDate, nationality, idType, identifier, countryOfIssuance };
}

function currenciesOf({ currencies, region }: CustomerRequest, platform: ActivePlatform): string[] {
  if (!currencies) {
    const fitting = [region, platform.defaultRegion].flatMap(
      (place) => (place && currencyOfRegion(place)) ?? [],
    );
    const all = platform.supportedCurrencies.map(({ currencyCode }) => currencyCode);
    return [fitting.find((code) => all.includes(code)) ?? all[0]].filter((code) => code !== undefined);
  }
  requireSupported(platform, currencies);
  return [...new Set(currencies)];
}
