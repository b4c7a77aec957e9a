/** What payments are about, however they begin. */
import type {
  Deposit,
  IncomingPayment,
  QuoteTerms,
  TransferTerms,
} from '../../../src/domain/payments/events.ts';
import { msLater, testStart } from '../time/clock.ts';
import {
  accountId,
  customerId,
  depositId,
  externalAccountId,
  originId,
  payeeAccountId,
  payeeId,
  payeePlatformId,
  platformId,
  quoteId,
  transactionId,
} from './identities.ts';
import { eur, usd } from './money.ts';

export const quoteLifetimeMs = 300_000;
export const approvalMs = 10_000;

export const fromBalance = { kind: 'INTERNAL', accountId } as const;
export const fromBank = { kind: 'EXTERNAL', accountId: externalAccountId } as const;
export const fromOutside = { kind: 'REALTIME_FUNDING' } as const;
export const toBank = { kind: 'EXTERNAL', accountId: externalAccountId, paymentRail: 'SEPA' } as const;
export const toBalance = { kind: 'INTERNAL', accountId: payeeAccountId } as const;
/** Whose balance that is. */
export const recipient = { customerId: payeeId, platformCustomerId: 'user-2' };
export const toAddress = { kind: 'UMA_ADDRESS', umaAddress: '$grace@bank.example' } as const;

/** Grace, on the other platform. */
export const localPayee = {
  kind: 'CUSTOMER',
  platformId: payeePlatformId,
  customerId: payeeId,
  account: toBalance,
} as const;

/** The payment on the other side that an incoming one comes from. */
export const origin = { transactionId: originId, platformId: payeePlatformId };

const opening = { transactionId, platformId, customerId, platformCustomerId: 'user-1', at: testStart };

/** 100.00 USD to 91.54 EUR with 0.50 USD of fees, until five minutes after the start of the test. */
export const quoteTerms = (overrides: Partial<QuoteTerms> = {}): QuoteTerms => ({
  ...opening,
  quoteId,
  source: fromBalance,
  destination: toBank,
  lockedCurrencySide: 'SENDING',
  sending: usd(100_00n),
  receiving: eur(91_54n),
  fees: 50n,
  exchangeRate: '1.08695652',
  rateDetails: {
    counterpartyMultiplier: '0.92',
    counterpartyFixedFee: 0n,
    serviceApiMultiplier: '1',
    serviceApiFixedFee: 0n,
    serviceApiVariableFeeRate: '0.005',
    serviceApiVariableFeeAmount: 50n,
  },
  reference: 'DB0000000000000004',
  expiresAt: msLater(quoteLifetimeMs),
  ...overrides,
});

/** 100.00 USD to a bank account. */
export const transferOut = (overrides: Partial<TransferTerms> = {}): TransferTerms => ({
  ...opening,
  direction: 'OUT',
  source: fromBalance,
  destination: toBank,
  amount: usd(100_00n),
  reference: 'TO0000000000000004',
  ...overrides,
});

/** 100.00 USD from a bank account. */
export const transferIn = (overrides: Partial<TransferTerms> = {}): TransferTerms => ({
  ...transferOut(),
  direction: 'IN',
  source: fromBank,
  destination: { kind: 'INTERNAL', accountId },
  reference: 'TI0000000000000004',
  ...overrides,
});

/** 100.00 USD from an address outside, which nobody has to approve. */
export const incomingPayment = (overrides: Partial<IncomingPayment> = {}): IncomingPayment => ({
  ...opening,
  senderUmaAddress: '$success.usd@sandbox.daybook.test',
  receiverUmaAddress: '$ada@pay.example',
  destination: { kind: 'INTERNAL', accountId },
  amount: usd(100_00n),
  reference: 'IN0000000000000004',
  ...overrides,
});

export const depositDetails = (overrides: Partial<Deposit> = {}): Deposit => ({
  ...opening,
  transactionId: depositId,
  accountId,
  amount: usd(100_00n),
  reference: 'WIRE-1',
  ...overrides,
});
