/** Who takes part in a quote, as the request's names are found. */

import { type CreateQuoteRequest, createQuoteRequest } from '../../../src/api/quotes/requests.ts';
import { account } from '../../../src/domain/accounts/account.ts';
import type { OpenAccount } from '../../../src/domain/accounts/state.ts';
import type {
  QuoteDestination,
  QuoteParties,
  QuoteSource,
  Receiver,
} from '../../../src/domain/payments/parties/parties.ts';
import { accountOpened } from './accounts.ts';
import { activeCustomer, activePlatform } from './customers.ts';
import { validAccountInfo } from './external-accounts.ts';
import {
  accountId,
  externalAccountId,
  payeeAccountId,
  payeeId,
  payeePlatformId,
  payerBankId,
} from './identities.ts';
import { externalAccountDetails } from './registered-accounts.ts';
import { stateOf } from './spec.ts';
import { localPayee } from './terms.ts';

type Fields = Readonly<Record<string, unknown>>;

export function openAccountState(overrides: Parameters<typeof accountOpened>[0] = {}): OpenAccount {
  const state = stateOf(account, accountOpened(overrides));
  if (state.status === 'none') throw new Error('an account that was not opened');
  return state;
}

export const balance = (overrides: Parameters<typeof accountOpened>[0] = {}) =>
  ({ kind: 'INTERNAL', account: openAccountState(overrides) }) as const satisfies QuoteSource;

export const bank = (overrides: Parameters<typeof externalAccountDetails>[0] = {}) =>
  ({ kind: 'EXTERNAL', account: externalAccountDetails(overrides) }) as const satisfies QuoteDestination;

/** A bank account that money can be pulled from. */
export const pullable = (overrides: Parameters<typeof externalAccountDetails>[0] = {}) =>
  bank({
    externalAccountId: payerBankId,
    currency: 'USD',
    accountInfo: validAccountInfo('USD_ACCOUNT'),
    ...overrides,
  });

export const outside = (currency: string): QuoteSource => ({ kind: 'REALTIME_FUNDING', currency });

export const address = (overrides: Partial<Receiver> = {}) => {
  const receiver = {
    umaAddress: '$grace@bank.example',
    currencies: ['EUR', 'USD'],
    requiredPayerDataFields: [],
  };
  const payee = { payee: { kind: 'OUTSIDE' } } as const;
  const found = { kind: 'UMA_ADDRESS', receiver: { ...receiver, ...overrides }, payee } as const;
  return found satisfies QuoteDestination;
};

/** The same, held by a customer here whose platform has not said that it is asked. */
export const addressHere = (overrides: Partial<Receiver> = {}) => {
  const customer = overrides.customer ?? activeCustomer({ customerId: payeeId, platformId: payeePlatformId });
  const platform = activePlatform({ platformId: customer.platformId });
  const account = openAccountState({
    accountId: payeeAccountId,
    customerId: customer.customerId,
    currency: 'EUR',
  });
  return {
    ...address({ customer, platform, ...overrides }),
    payee: { payee: localPayee, account: { kind: 'INTERNAL', account } },
  } as const satisfies QuoteDestination;
};

/** A customer's balance in USD and somebody's bank account in EUR. */
export const parties = (overrides: Partial<QuoteParties> = {}): QuoteParties => ({
  platform: activePlatform(),
  source: balance(),
  sender: activeCustomer(),
  named: undefined,
  destination: bank(),
  recipient: undefined,
  lookup: undefined,
  ...overrides,
});

/** As a client would send it: 100.00 USD from the balance to the bank account. */
export const quoteRequest = (
  overrides: Fields & { readonly source?: Fields; readonly destination?: Fields } = {},
): CreateQuoteRequest =>
  createQuoteRequest.parse({
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 100_00,
    ...overrides,
    source: { accountId, ...overrides.source },
    destination: { accountId: externalAccountId, ...overrides.destination },
  });
