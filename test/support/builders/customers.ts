import {
  type CustomerDetails,
  customer,
  type KnownCustomer,
} from '../../../src/domain/customers/customer.ts';
import type { CustomerEvent, KycStatus } from '../../../src/domain/customers/events.ts';
import type { PlatformEvent, SupportedCurrency } from '../../../src/domain/platforms/events.ts';
import { type ActivePlatform, platform } from '../../../src/domain/platforms/platform.ts';
import {
  paymentAddressStream,
  platformCustomerStream,
} from '../../../src/domain/reservations/reservation.ts';
import { int64Max } from '../../../src/kernel/money.ts';
import { testStart } from '../time/clock.ts';
import type { DataOf } from './events.ts';
import { customerId, platformId } from './identities.ts';
import { stateOf } from './spec.ts';

export type PlatformDetails = DataOf<PlatformEvent, 'PlatformCreated'>;
type ConfigChanges = DataOf<PlatformEvent, 'PlatformConfigChanged'>;

/** Without limits and requirements, unless told otherwise. */
export const supportedCurrency = (
  currencyCode: string,
  overrides: Partial<SupportedCurrency> = {},
): SupportedCurrency => ({
  currencyCode,
  minAmount: 0n,
  maxAmount: int64Max,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
  ...overrides,
});

export const supported = (...codes: readonly string[]) => codes.map((code) => supportedCurrency(code));

export const walletConfig = {
  otpLength: 6,
  alphanumeric: false,
  expirationSeconds: 300,
  sendFromEmailSenderName: 'Notifications',
};

export const platformDetails = (overrides: Partial<PlatformDetails> = {}): PlatformDetails => ({
  platformId,
  environment: 'sandbox',
  umaDomain: 'pay.example',
  defaultRegion: 'US',
  supportedCurrencies: supported('USD', 'EUR'),
  embeddedWalletConfig: walletConfig,
  walletCurrency: 'USDB',
  at: testStart,
  ...overrides,
});

export const customerDetails = (overrides: Partial<CustomerDetails> = {}): CustomerDetails => ({
  platformId,
  customerId,
  platformCustomerId: 'user-1',
  customerType: 'INDIVIDUAL',
  umaAddress: '$ada@pay.example',
  region: 'US',
  currencies: ['USD'],
  kycStatus: 'APPROVED',
  at: testStart,
  ...overrides,
});

export const businessInfo = {
  legalName: 'Analytical Engines Ltd',
  registrationNumber: '5523041',
  country: 'GB',
} as const;

/** The reservations of a customer's first names. */
const firstNames = [
  { reservation: paymentAddressStream('$ada@pay.example') },
  { reservation: platformCustomerStream(platformId, 'user-1') },
];

export const businessDetails = (overrides: Partial<CustomerDetails> = {}): CustomerDetails =>
  customerDetails({ customerType: 'BUSINESS', kycStatus: 'UNVERIFIED', businessInfo, ...overrides });

export const customerStatusChanged = (
  kycStatus: KycStatus,
  overrides: Partial<DataOf<CustomerEvent, 'CustomerStatusChanged'>> = {},
) => {
  const about = { platformId, customerId, customerType: 'BUSINESS' as const, heldCurrencies: ['USD'] };
  return {
    type: 'CustomerStatusChanged',
    data: { ...about, kycStatus, at: testStart, ...overrides },
  } as const;
};

type Updated = DataOf<CustomerEvent, 'CustomerUpdated'>;
export const customerUpdated = (overrides: Partial<Updated> = {}) => {
  const about = { platformId, customerId, taken: [], released: [], at: testStart };
  return { type: 'CustomerUpdated', data: { ...about, ...overrides } } as const;
};

export const customerDeleted = (overrides: Partial<DataOf<CustomerEvent, 'CustomerDeleted'>> = {}) => {
  const about = { platformId, customerId, heldCurrencies: ['USD'], released: firstNames, at: testStart };
  return { type: 'CustomerDeleted', data: { ...about, ...overrides } } as const;
};

/** The first one, unless told otherwise. */
export const deletionBegun = (deletion = 1) =>
  ({ type: 'DeletionBegun', data: { platformId, customerId, deletion, at: testStart } }) as const;
export const deletionAbandoned = (overrides: Partial<DataOf<CustomerEvent, 'DeletionAbandoned'>> = {}) => {
  const about = { platformId, customerId, deletion: 1, heldCurrencies: ['USD'], at: testStart };
  return { type: 'DeletionAbandoned', data: { ...about, ...overrides } } as const;
};

export const customerClaimEnded = (claim?: string) =>
  ({
    type: 'CustomerClaimEnded',
    data: { customerId, ...(claim !== undefined && { claim }), at: testStart },
  }) as const;

export const platformClaimEnded = (claim: string, at = testStart) =>
  ({ type: 'PlatformClaimEnded', data: { platformId, claim, at } }) as const;

export const platformCreated = (overrides: Partial<PlatformDetails> = {}) =>
  ({ type: 'PlatformCreated', data: platformDetails(overrides) }) as const;

export const configChanged = (overrides: Partial<ConfigChanges> = {}) =>
  ({ type: 'PlatformConfigChanged', data: { platformId, at: testStart, ...overrides } }) as const;

export const webhookEndpointDisabled = (webhookEndpoint = 'https://hooks.example/daybook') =>
  ({ type: 'WebhookEndpointDisabled', data: { platformId, webhookEndpoint, at: testStart } }) as const;

export const customerCreated = (overrides: Partial<CustomerDetails> = {}) =>
  ({ type: 'CustomerCreated', data: customerDetails(overrides) }) as const;

/** A platform as its decider knows it. Currencies that are given are a list that the platform has set. */
export function activePlatform(overrides: Partial<PlatformDetails> = {}): ActivePlatform {
  const { supportedCurrencies } = overrides;
  const set = supportedCurrencies ? [configChanged({ supportedCurrencies })] : [];
  const state = stateOf(platform, platformCreated(overrides), ...set);
  if (state.status === 'none') throw new Error('a platform that was not created');
  return state;
}

export function activeCustomer(overrides: Partial<CustomerDetails> = {}): KnownCustomer {
  const state = stateOf(customer, customerCreated(overrides));
  if (state.status === 'none') throw new Error('a customer who was not created');
  return state;
}

/** A customer who is being deleted, and one who has been. */
export const leavingCustomer = (overrides: Partial<CustomerDetails> = {}) =>
  stateOf(customer, customerCreated(overrides), deletionBegun()) as KnownCustomer;
export const deletedCustomer = (overrides: Partial<CustomerDetails> = {}) =>
  stateOf(customer, customerCreated(overrides), deletionBegun(), customerDeleted()) as KnownCustomer;

export const customerErased = (): Extract<CustomerEvent, { type: 'CustomerErased' }> => ({
  type: 'CustomerErased',
  data: { platformId, customerId, at: testStart },
});
