import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../../src/domain/aggregates.ts';
import type { TransactionEvent } from '../../../src/domain/payments/events.ts';
import {
  creditEntryId,
  debitEntryId,
  depositEntryId,
  refundEntryId,
} from '../../../src/domain/payments/transaction.ts';
import type { Environment } from '../../../src/domain/platforms/events.ts';
import { paymentReactionIn } from '../../../src/domain/reactions/payments.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import {
  accountCredited,
  accountDebited,
  accountOpened,
  accountPaid,
  accountRefunded,
  creditRefused,
} from '../../support/builders/accounts.ts';
import { configChanged, customerCreated, platformCreated } from '../../support/builders/customers.ts';
import {
  accountId,
  depositId,
  originId,
  payeePlatformId,
  platformId,
  transactionId,
} from '../../support/builders/identities.ts';
import { lookupCreated } from '../../support/builders/lookups.ts';
import { eur, usd } from '../../support/builders/money.ts';
import {
  externalAccountCreated,
  externalAccountDeleted,
} from '../../support/builders/registered-accounts.ts';
import { nameReleased, nameReserved, reservationConfirmed } from '../../support/builders/reservations.ts';
import { depositDetails, origin, quoteTerms, transferOut } from '../../support/builders/terms.ts';
import {
  creditDue,
  depositReceived,
  executionRefused,
  fundsReceived,
  incomingPaymentCreated,
  payeeDescribed,
  paymentApproved,
  paymentReturned,
  paymentRouted,
  paymentSubmitted,
  quoteCreated,
  refundCompleted,
  refundFailed,
  transactionCancelled,
  transactionCompleted,
  transactionExpired,
  transactionFailed,
  transactionProcessing,
  transactionRejected,
  transferCreated,
  without,
} from '../../support/builders/transactions.ts';
import { recorded } from '../../support/log/domain-events.ts';
import { msLater } from '../../support/time/clock.ts';

const at = msLater(5);
const uuid = uuidOf(transactionId);
const reactIn = (environment: Environment) => (event: Parameters<typeof recorded>[0], ofPlatform?: string) =>
  paymentReactionIn(environment)(recorded(event, ofPlatform) as DomainEvent);
const react = reactIn('sandbox');
const toPayment = (command: object) => ({ to: 'transaction', uuid, command });
const toOrigin = (command: object) => ({
  to: 'transaction',
  uuid: uuidOf(originId),
  platformId: payeePlatformId,
  command,
});

describe('after a debit', () => {
  const start = toPayment({ type: 'StartProcessing', at });

  it('the payment that it pays for starts', () => {
    expect(react(accountDebited({ at }))).toStrictEqual([start]);
  });

  it('the quote that it opens is there first', () => {
    const opens = { kind: 'quote', terms: quoteTerms() } as const;
    const create = toPayment({ type: 'CreateQuote', terms: quoteTerms() });
    expect(react(accountDebited({ opens, at }))).toStrictEqual([create, start]);
  });

  it('the transfer that it opens is there', () => {
    const opens = { kind: 'transfer', terms: transferOut() } as const;
    const create = toPayment({ type: 'CreateTransfer', terms: transferOut() });
    expect(react(accountDebited({ opens, purpose: 'transfer', at }))).toStrictEqual([create]);
  });
});

describe('after a credit', () => {
  it('its refund is closed', () => {
    expect(react(accountRefunded({ at }))).toStrictEqual([toPayment({ type: 'RecordRefund', at })]);
  });

  it('its payment is complete', () => {
    expect(react(accountPaid({ at }))).toStrictEqual([toPayment({ type: 'CompleteTransaction', at })]);
  });

  it('that was refused the payment hears of it, and what else is held is looked at', () => {
    const refuse = toPayment({ type: 'RefuseCredit', at });
    const release = { type: 'ReleaseHeldCredits', at };
    expect(react(creditRefused({ at }))).toStrictEqual([refuse]);
    expect(react(creditRefused({ at, held: 1, more: true }))).toStrictEqual([
      refuse,
      { to: 'account', uuid: uuidOf(accountId), command: release },
    ]);
  });

  it('its deposit is recorded from the credit alone, for the platform of the credit', () => {
    const credited = accountCredited({ transactionId: depositId, at });
    const command = { type: 'RecordDeposit', deposit: depositDetails({ at }) };
    expect(react(credited, platformId)).toStrictEqual([
      { to: 'transaction', uuid: uuidOf(depositId), command },
    ]);
  });

  it('without an origin nothing is recorded', () => {
    expect(react(without(accountCredited() as never, 'deposit'))).toEqual([]);
  });
});

describe('money that is due', () => {
  it.each([
    ['in-flight', eur(91_54n)],
    ['rail', usd(100_00n)],
  ] as const)('is credited once from %s', (from, amount) => {
    const entry = { entryId: `${transactionId}:credit`, transactionId, requestedBy: 'payment', amount, at };
    const command = { type: 'CreditAccount', purpose: 'payment', from, ...entry };
    expect(react(creditDue({ from, amount, at }))).toStrictEqual([
      { to: 'account', uuid: uuidOf(accountId), command },
    ]);
  });
});

describe('money that is owed', () => {
  const endings: readonly TransactionEvent[] = [
    transactionFailed({ at }),
    transactionRejected({ at }),
    transactionCancelled({ at }),
    paymentReturned({ at }),
    executionRefused({ at }),
  ];

  it.each(endings)('goes back to its account once after $type', (event) => {
    const amount = usd(100_00n);
    const entry = { entryId: `${transactionId}:refund`, transactionId, requestedBy: 'refund', amount, at };
    const command = { type: 'CreditAccount', purpose: 'refund', from: 'in-flight', ...entry };
    expect(react(event)).toStrictEqual([{ to: 'account', uuid: uuidOf(accountId), command }]);
  });

  it.each(endings)('goes back the way it came after $type where no account is named', (event) => {
    expect(react(without(event, 'refundTo'))).toStrictEqual([toPayment({ type: 'RecordRefund', at })]);
  });

  it.each(endings)('fails outside the sandbox after $type where no account is named', (event) => {
    const inProduction = reactIn('production');
    expect(inProduction(without(event, 'refundTo'))).toStrictEqual([toPayment({ type: 'FailRefund', at })]);
    expect(inProduction(event)).toStrictEqual(react(event));
  });

  it.each(endings.slice(0, 2))('is nothing after $type where nothing was taken', (event) => {
    expect(react(without(event, 'refund', 'refundTo'))).toEqual([]);
  });

  it.each([{}, { refundTo: undefined }])('does not come back when the refund fails too: %j', (to) => {
    for (const ended of [transactionFailed, paymentReturned])
      expect(react(ended({ refundFails: true, ...to, at } as never))).toStrictEqual([
        toPayment({ type: 'FailRefund', at }),
      ]);
  });
});

describe('the sender of a payment between two customers here', () => {
  const nothingTaken = ['refund', 'refundTo'];

  it.each([
    [without(transactionCompleted({ origin, at }), 'postings', 'checkAt'), { type: 'SettlePayment', at }],
    [
      without(transactionFailed({ reason: 'PAYMENT_APPROVAL_TIMED_OUT', origin, at }), ...nothingTaken),
      { type: 'FailTransaction', reason: 'PAYMENT_APPROVAL_TIMED_OUT', at },
    ],
    [
      without(transactionRejected({ origin, at }), ...nothingTaken, 'reason'),
      { type: 'RejectTransaction', reason: 'PAY_REQUEST_FAILED', at },
    ],
    [
      without(paymentReturned({ origin, at }), ...nothingTaken, 'postings'),
      { type: 'ReturnPayment', reason: 'OFFRAMP_FAILED', at },
    ],
    [
      paymentApproved({ told: { FULL_NAME: 'Grace' }, origin, at }),
      { type: 'DescribePayee', counterpartyInformation: { FULL_NAME: 'Grace' }, at },
    ],
  ])('is told of $type, on the platform that it belongs to', (event, command) => {
    expect(react(event, platformId)).toStrictEqual([toOrigin(command)]);
  });

  it.each([
    [transactionFailed({ origin, refundFails: true, at }), 'FailTransaction'],
    [paymentReturned({ origin, refundFails: true, at }), 'ReturnPayment'],
  ])('is told of $type whose refund fails, as one', (event, type) => {
    const ended = without(event, ...nothingTaken, 'postings');
    const command = { type, reason: 'OFFRAMP_FAILED', refundFails: true, at };
    expect(react(ended)).toStrictEqual([toOrigin(command)]);
  });
});

describe('the transaction policy', () => {
  it.each([
    accountOpened(),
    quoteCreated(),
    transferCreated(),
    incomingPaymentCreated(),
    depositReceived(),
    transactionProcessing(),
    fundsReceived(),
    paymentApproved(),
    paymentRouted(),
    payeeDescribed(),
    paymentSubmitted(),
    transactionCompleted(),
    transactionExpired(),
    refundCompleted(),
    refundFailed(),
    platformCreated(),
    configChanged(),
    customerCreated(),
    lookupCreated(),
    externalAccountCreated(),
    externalAccountDeleted(),
    nameReserved(),
    reservationConfirmed(),
    nameReleased(),
  ])('makes nothing of $type', (event) => expect(react(event)).toEqual([]));

  it('says the same every time', () => {
    const event = transactionFailed({ origin });
    expect(react(event)).toStrictEqual(react(event));
  });

  it('has an entry id for each way in which a payment touches an account', () => {
    const entries = [debitEntryId, creditEntryId, refundEntryId, depositEntryId];
    expect(new Set(entries.map((entryId) => entryId(transactionId))).size).toBe(entries.length);
  });
});
