import { describe, expect, it } from 'vitest';
import type { TransactionCommand } from '../../../src/domain/payments/commands.ts';
import type { TransactionEvent } from '../../../src/domain/payments/events.ts';
import { transaction } from '../../../src/domain/payments/transaction.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { stateOf } from '../../support/builders/spec.ts';
import {
  beginnings,
  type Kind,
  kinds,
  lived,
  type PaymentCommand,
  paymentCommandNames,
  paymentCommands,
} from '../../support/builders/transaction-commands.ts';

type Outcomes = Partial<Record<PaymentCommand, string>>;
/** The state's name, the commands that lead there, and what each command causes in it; anything else causes nothing. */
type Row = readonly [state: string, path: readonly PaymentCommand[], outcomes: Outcomes];

const submitted = { submit: 'PaymentSubmitted', submitToWait: 'PaymentSubmitted' };
/** Of what the rail has taken, and says that it has begun. */
const begun = { submit: 'PaymentSubmitted', submitToWait: '-' };
const notSubmitted = { submit: '-', submitToWait: '-' };
const owed = { recordRefund: 'RefundCompleted', failRefund: 'RefundFailed' };
const failures = {
  fail: 'TransactionFailed',
  failForGood: 'TransactionFailed',
  reject: 'TransactionRejected',
};

/** Of what arrived, or may have: it came back, or did not and is lost to who paid. */
const comingBack = (event: string) => ({ giveBack: event, giveBackNothing: event });

/** What the rail may say of money that was taken here, and of money that never was. */
const paying = {
  ...submitted,
  ...failures,
  settle: 'TransactionCompleted',
  cancel: 'TransactionCancelled',
  ...comingBack('TransactionFailed'),
};
const receiving = { ...submitted, ...failures, settle: 'CreditDue', cancel: 'TransactionRejected' };
const passingOn = { ...receiving, settle: 'TransactionCompleted', ...comingBack('TransactionFailed') };

/** Of a payment to an address besides, until its way is settled, and after that. */
const described = { describe: 'PayeeDescribed' };
const notRouted = { ...described, route: 'PaymentRouted', refuseRoute: 'TransactionFailed' };

/** Every end of a payment that has taken money, and what follows it. */
const ends = (path: readonly PaymentCommand[], more: Outcomes = {}): readonly Row[] => [
  ['completed', [...path, 'settle'], { ...more, ...comingBack('PaymentReturned') }],
  ['returned', [...path, 'settle', 'giveBack'], owed],
  ['returned and refunded', [...path, 'settle', 'giveBack', 'recordRefund'], {}],
  ['returned for good', [...path, 'settle', 'giveBackNothing', 'failRefund'], {}],
  ['failed', [...path, 'fail'], owed],
  ['failed and refunded', [...path, 'fail', 'recordRefund'], {}],
  ['failed for good', [...path, 'failForGood', 'failRefund'], {}],
  ['rejected', [...path, 'reject'], owed],
  ['cancelled', [...path, 'cancel'], owed],
  ['cancelled and refunded', [...path, 'cancel', 'recordRefund'], {}],
];

const debited = (credit: boolean): readonly Row[] => [
  [
    'pending',
    [],
    { start: `TransactionProcessing${credit ? ',CreditDue' : ''}`, expire: 'TransactionExpired' },
  ],
  ['expired', ['expire'], { start: 'ExecutionRefused' }],
  ['expired after the debit', ['expire', 'start'], owed],
  ['expired and refunded', ['expire', 'start', 'recordRefund'], {}],
];

const funded = (credit: boolean): readonly Row[] => [
  [
    'pending',
    [],
    {
      fund: `FundsReceived${credit ? ',CreditDue' : ''}`,
      fundShort: 'FundsReceived,TransactionFailed',
      expire: 'TransactionExpired',
    },
  ],
  ['expired', ['expire'], {}],
  ['paid too little', ['fundShort'], owed],
  ['paid too little and refunded', ['fundShort', 'recordRefund'], {}],
];

const credited = (path: readonly PaymentCommand[]): readonly Row[] => [
  ['credited', path, { complete: 'TransactionCompleted', refuseCredit: 'TransactionFailed' }],
  ['completed', [...path, 'complete'], {}],
];

/** The same, where what the account refuses goes back by the payment itself. */
const creditedOrOwed = (path: readonly PaymentCommand[]): readonly Row[] => [
  ...credited(path),
  ['refused by the account', [...path, 'refuseCredit'], owed],
  ['refused by the account and refunded', [...path, 'refuseCredit', 'recordRefund'], {}],
];

const sentOut = (path: readonly PaymentCommand[]): readonly Row[] => [
  ['processing', path, paying],
  ['submitted', [...path, 'submit'], { ...paying, ...notSubmitted }],
  ...ends(path),
  ...ends([...path, 'submit']).map(
    ([state, steps, outcomes]) => [`submitted, ${state}`, steps, outcomes] as const,
  ),
];

/** The same to an address: by a way that is settled first, or, before ways were settled, without. */
const sentToAddress = (path: readonly PaymentCommand[]): readonly Row[] => [
  ['processing', path, { ...paying, ...notRouted }],
  ['described before its way is settled', [...path, 'describe'], { ...paying, ...notRouted, describe: '-' }],
  ['without a way', [...path, 'refuseRoute'], owed],
  ['routed', [...path, 'route'], { ...paying, ...described }],
  ['routed and described', [...path, 'route', 'describe'], paying],
  ['submitted', [...path, 'route', 'submit'], { ...paying, ...notSubmitted, ...described }],
  ['submitted without a way', [...path, 'submit'], { ...paying, ...notSubmitted, ...described }],
  ...ends([...path, 'route'], described),
];

const takenIn = (path: readonly PaymentCommand[]): readonly Row[] => [
  ['under way', path, receiving],
  ['submitted', [...path, 'submit'], { ...receiving, ...notSubmitted }],
  ...creditedOrOwed([...path, 'submit', 'settle']),
  ['failed', [...path, 'fail'], {}],
  ['failed for good', [...path, 'failForGood'], {}],
  ['rejected', [...path, 'reject'], {}],
  ['called off', [...path, 'cancel'], {}],
];

const asked = (approval: string): readonly Row[] => [
  ['waiting', [], { approve: approval, refuse: 'TransactionRejected', endApproval: 'TransactionFailed' }],
  ['refused', ['refuse'], {}],
  ['out of time', ['endApproval'], {}],
];

const table: Readonly<Record<Kind, readonly Row[]>> = {
  'quote from a balance to a bank': [...debited(false), ...sentOut(['start'])],
  'quote from a balance to an address': sentToAddress(['start']),
  'quote from a balance to a balance': [...debited(true), ...creditedOrOwed(['start'])],
  'quote from a bank to a bank': [...funded(false), ...sentOut(['fund'])],
  'quote from a bank to an address': [...funded(false), ...sentToAddress(['fund'])],
  'quote from a bank to a balance': [...funded(true), ...creditedOrOwed(['fund'])],
  'quote from outside to a bank': [...funded(false), ...sentOut(['fund'])],
  'quote from outside to a balance': [...funded(true), ...creditedOrOwed(['fund'])],
  'quote from outside that goes back to a balance': [...funded(false), ...sentOut(['fund'])],
  'transfer out': [
    ...sentOut([]),
    ['submitted, waiting', ['submitToWait'], { ...paying, ...begun }],
    ['begun after it had waited', ['submitToWait', 'submit'], { ...paying, ...notSubmitted }],
  ],
  'transfer in': [
    ...takenIn([]),
    ['submitted, waiting', ['submitToWait'], { ...receiving, ...begun }],
    ['begun after it had waited', ['submitToWait', 'submit'], { ...receiving, ...notSubmitted }],
  ],
  'payment from outside': takenIn([]),
  'payment from outside that was asked about': [...asked('PaymentApproved'), ...takenIn(['approve'])],
  'payment from outside to a bank': [
    ['approved', [], passingOn],
    ['completed', ['settle'], comingBack('PaymentReturned')],
    ['returned', ['settle', 'giveBack'], {}],
    ['called off', ['cancel'], {}],
  ],
  'payment from a customer here': [...credited([]), ['refused by the account', ['refuseCredit'], {}]],
  'payment from a customer here that was asked about': [
    ...asked('PaymentApproved,CreditDue'),
    ...credited(['approve']),
  ],
  'payment from a customer here to a bank': [
    ...asked('PaymentApproved'),
    ['approved', ['approve'], passingOn],
    ['completed', ['approve', 'settle'], comingBack('PaymentReturned')],
    ['returned', ['approve', 'settle', 'giveBack'], {}],
  ],
  deposit: [['there', [], {}]],
};

function outcomeOf(command: TransactionCommand, history: readonly TransactionEvent[]): string {
  try {
    const events = transaction.decide(command, stateOf(transaction, ...history));
    stateOf(transaction, ...history, ...events);
    return events.map(({ type }) => type).join() || '-';
  } catch (error) {
    return error instanceof Rejected ? error.code : String(error);
  }
}

const notWaiting = 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL';
const refusals: Outcomes = { approve: notWaiting, refuse: notWaiting };

describe.each(kinds)('a %s', (kind) => {
  it.each(table[kind])('that is %s answers every command', (_state, path, outcomes) => {
    const history = lived(kind, path);
    const answers = paymentCommandNames.map((name) => [name, outcomeOf(paymentCommands[name], history)]);
    const wanted = paymentCommandNames.map((name) => [name, outcomes[name] ?? refusals[name] ?? '-']);
    expect(answers).toEqual(wanted);
  });

  it.each(table[kind])('that is %s cannot be begun again', (_state, path) => {
    const history = lived(kind, path);
    const again = kinds.map((other) => outcomeOf(beginnings[other], history));
    expect(new Set(again)).toEqual(new Set(['-']));
  });

  it.each(table[kind])('that is %s does nothing twice', (_state, path, outcomes) => {
    const effective = paymentCommandNames.filter((name) => (outcomes[name] ?? '-') !== '-');
    const second = effective.map((name) => [
      name,
      outcomeOf(paymentCommands[name], lived(kind, [...path, name])),
    ]);
    expect(second).toEqual(effective.map((name) => [name, refusals[name] ?? '-']));
  });
});

describe('a payment that nobody has begun', () => {
  it.each(paymentCommandNames)('is not found by %s', (name) => {
    expect(outcomeOf(paymentCommands[name], [])).toBe('TRANSACTION_NOT_FOUND');
  });
});
