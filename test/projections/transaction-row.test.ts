import { describe, expect, it } from 'vitest';
import { rowOfPayment, rowOfTerms } from '../../projections/models/transaction-row.ts';
import { transactions } from '../../projections/models/transactions.ts';
import type { Rows } from '../../projections/projector/rows.ts';
import { keyOf } from '../../projections/projector/write.ts';
import type { TransactionRow } from '../../projections/tables/transactions.ts';
import type { FollowedEvent } from '../../src/domain/aggregates.ts';
import type { TransactionEvent } from '../../src/domain/payments/events.ts';
import { mayMove } from '../../src/domain/payments/life/moves.ts';
import type { Transaction } from '../../src/domain/payments/life/progress.ts';
import { ofIncoming, ofQuote, ofTransfer } from '../../src/domain/payments/terms.ts';
import { transaction } from '../../src/domain/payments/transaction.ts';
import { accountId, externalAccountId, payeeAccountId } from '../support/builders/identities.ts';
import { stateOf } from '../support/builders/spec.ts';
import { eventsOfEveryType, paymentsInEveryStage } from '../support/builders/stages.ts';
import {
  fromOutside,
  incomingPayment,
  quoteLifetimeMs,
  quoteTerms,
  recipient,
  toAddress,
  transferIn,
  transferOut,
} from '../support/builders/terms.ts';
import {
  historiesOf,
  type Kind,
  kinds,
  lived,
  type PaymentCommand,
} from '../support/builders/transaction-commands.ts';
import {
  creditDue,
  incomingPaymentCreated,
  payeeDescribed,
  paymentRouted,
  paymentSubmitted,
  quoteCreated,
  transactionProcessing,
  transferCreated,
} from '../support/builders/transactions.ts';
import { recorded } from '../support/log/domain-events.ts';
import { msLater } from '../support/time/clock.ts';

/** What the read model makes of the events of a payment. */
function project(events: readonly TransactionEvent[], rows: Pick<Rows, 'put' | 'remove'>): void {
  for (const [n, event] of events.entries()) {
    const state = stateOf(transaction, ...events.slice(0, n + 1));
    const followed = { ...recorded(event), of: 'transaction', revision: n, state } as FollowedEvent;
    transactions.project(followed, rows as Rows);
  }
}

/** The rows that it puts for each event. */
function put(events: readonly TransactionEvent[]): readonly TransactionRow[] {
  const rows: TransactionRow[] = [];
  project(events, {
    put: (table, row) => table === 'transactions' && rows.push(row as unknown as TransactionRow),
    remove: () => undefined,
  });
  return rows;
}

type Place = Pick<TransactionRow, 'platform_id' | 'status' | 'created_at' | 'id'>;

/** Of payments that are not completed, where it leaves them. */
function places(events: readonly TransactionEvent[]): readonly Place[] {
  const left = new Map<string, Place>();
  const of = (table: string, place: Place, change: (key: string) => unknown) =>
    table === 'uncompleted_transactions' && change(keyOf(table, place));
  project(events, {
    put: (table, row) => of(table, row as unknown as Place, (key) => left.set(key, row as unknown as Place)),
    remove: (table, row) => of(table, row as unknown as Place, (key) => left.delete(key)),
  });
  return [...left.values()];
}

const byId = (one: Place, other: Place) => (one.id < other.id ? -1 : 1);

const transactionOf = (state: Transaction) =>
  state.stage === 'none' ? undefined : state.terms.transactionId;

describe('the read model of payments', () => {
  it.each(kinds)('has the row of the state that each event leaves: %s', (kind) => {
    for (const history of historiesOf(kind))
      for (const n of history.keys()) {
        const state = stateOf(transaction, ...history.slice(0, n + 1));
        const own = put(history.slice(0, n + 1)).findLast(({ id }) => id === transactionOf(state));
        expect(own).toEqual(state.status !== 'NONE' && rowOfPayment(state));
      }
  });

  it('leaves the row as it is where an event changes nothing shown', () => {
    const history = [transferCreated(), paymentSubmitted({ underway: true, at: msLater(1) })];
    expect(put([...history, creditDue({ at: msLater(2) })])).toEqual(put(history));
  });
});

describe('the receiving side of a quote into an account here', () => {
  const into = kinds.filter(
    (kind) => /^quote from [a-z ]* to a balance$/.test(kind) && !kind.includes('back'),
  );
  const sideOf = (history: readonly TransactionEvent[]) =>
    put(history).findLast(({ type }) => type === 'INCOMING');
  const steps = (kind: Kind) => (kind === 'quote from a balance to a balance' ? 'start' : 'fund');

  it.each(into)('is a row of its own for the recipient: %s', (kind) => {
    const history = lived(kind, [steps(kind)]);
    const row = sideOf(history);
    const own = put(history).at(-2);
    expect(row).toMatchObject({
      status: 'PROCESSING',
      customer_id: recipient.customerId,
      platform_customer_id: recipient.platformCustomerId,
      quote_id: own?.quote_id,
      reference: own?.reference,
      receiver_account: payeeAccountId,
      received_minor: 91_54n,
      received_currency: 'EUR',
      fees: 0n,
      rate_details: null,
      created_at: msLater(quoteLifetimeMs),
    });
    expect(row?.id).not.toBe(own?.id);
  });

  it.each(into)('ends as the payment does, under the same id: %s', (kind) => {
    const before = sideOf(lived(kind, [steps(kind)]));
    const after = sideOf(lived(kind, [steps(kind), 'complete']));
    expect(after).toEqual({ ...before, status: 'COMPLETED', settled_at: expect.any(Date) });
  });

  it('is the same row, however often the log is read', () => {
    const history = lived('quote from a balance to a balance', ['start', 'complete']);
    expect(sideOf(history)).toEqual(sideOf(history));
  });

  it.each<[Kind, readonly PaymentCommand[]]>([
    ['quote from a balance to a balance', []],
    ['quote from a balance to a balance', ['expire']],
    ['quote from outside to a balance', ['fundShort']],
    ['quote from a balance to a bank', ['start', 'settle']],
    ['quote from a balance to an address', ['start', 'settle']],
    ['transfer in', ['settle', 'complete']],
  ])('is not there of a %s after %j', (kind, path) => {
    expect(new Set(put(lived(kind, path)).map(({ id }) => id)).size).toBe(1);
  });
});

describe('the status of a row', () => {
  const follows = (history: readonly TransactionEvent[], { type }: TransactionEvent) =>
    mayMove(stateOf(transaction, ...history), type);

  it.each(eventsOfEveryType)('is that of the stage which the payment has after $type', (event) => {
    const histories = paymentsInEveryStage.map(([, history]) => history);
    const lived = histories
      .filter((history) => follows(history, event))
      .map((history) => [...history, event]);
    const statuses = lived.map((history) => stateOf(transaction, ...history).status);
    const rows = lived.map((history) => put(history).at(-1));
    expect(rows).toMatchObject(statuses.map((status) => ({ status })));
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('the place of a payment among those that are not completed', () => {
  it.each(kinds)('is the one of its status, and none where it is completed: %s', (kind) => {
    for (const history of historiesOf(kind))
      for (const n of history.keys()) {
        const events = history.slice(0, n + 1);
        const last = new Map(put(events).map((row) => [row.id, row]));
        const expected = [...last.values()]
          .filter(({ status }) => status !== 'COMPLETED')
          .map(({ platform_id, status, created_at, id }) => ({ platform_id, status, created_at, id }));
        expect(places(events).toSorted(byId)).toEqual(expected.toSorted(byId));
      }
  });

  it('is found again when what was completed comes back', () => {
    const statuses = kinds.flatMap((kind) =>
      historiesOf(kind).flatMap((history) => {
        const back = history.findIndex(({ type }) => type === 'PaymentReturned');
        return back === -1 ? [] : [back, back + 1].map((n) => places(history.slice(0, n)));
      }),
    );
    expect(statuses).toContainEqual([]);
    expect(statuses).toContainEqual([expect.objectContaining({ status: 'FAILED' })]);
  });
});

describe('what the row tells of the other side', () => {
  const told = (history: readonly TransactionEvent[]) =>
    (put(history).at(-1) as { counterparty_information: unknown }).counterparty_information;
  const underway = (counterpartyInformation?: Record<string, string>) => [
    quoteCreated({ destination: toAddress, ...(counterpartyInformation && { counterpartyInformation }) }),
    transactionProcessing({ at: msLater(1) }),
    paymentRouted({ at: msLater(2) }),
  ];
  const described = payeeDescribed({ at: msLater(3) });

  it('is what the receiving side has said, with what was known before', () => {
    expect(told(underway())).toBeNull();
    expect(told([...underway(), described])).toEqual({ FULL_NAME: 'Grace Hopper' });
    expect(told([...underway({ FULL_NAME: 'G.', EMAIL: 'g@bank.example' }), described])).toEqual({
      FULL_NAME: 'Grace Hopper',
      EMAIL: 'g@bank.example',
    });
  });

  it('is for the receiver what is said of the payer', () => {
    const counterpartyInformation = { FULL_NAME: 'Ada Lovelace' };
    expect(told([incomingPaymentCreated({ counterpartyInformation })])).toEqual(counterpartyInformation);
  });

  it('is never the number of a document, which quotes from before told', () => {
    expect(told(underway({ FULL_NAME: 'Grace', IDENTIFIER: 'X1', ID_NUMBER: 'X1' }))).toEqual({
      FULL_NAME: 'Grace',
    });
    expect(told(underway({ IDENTIFIER: 'X1' }))).toBeNull();
  });
});

describe('the row of the terms', () => {
  it.each([
    [ofQuote(quoteTerms()), accountId, externalAccountId],
    [ofQuote(quoteTerms({ source: fromOutside, destination: toAddress })), null, '$grace@bank.example'],
    [ofTransfer(transferIn()), externalAccountId, accountId],
    [ofTransfer(transferOut()), accountId, externalAccountId],
    [ofIncoming(incomingPayment()), '$success.usd@sandbox.daybook.test', accountId],
  ])('can be found by its two ends ($kind)', (terms, sender, receiver) => {
    expect(rowOfTerms(terms)).toMatchObject({ sender_account: sender, receiver_account: receiver });
  });

  it('keeps every digit of price and fees', () => {
    const large = { ...quoteTerms().rateDetails, serviceApiFixedFee: 9_007_199_254_740_993n };
    const row = rowOfTerms(
      ofQuote(quoteTerms({ rateDetails: large, exchangeRate: '0.000000000351306578118' })),
    );
    expect(row.rate_details).toMatchObject({ serviceApiFixedFee: '9007199254740993' });
    expect(row.exchange_rate).toBe('0.000000000351306578118');
  });

  it('of a transfer has no description and no price', () => {
    const row = rowOfTerms(ofTransfer(transferOut({ remittanceInformation: 'Rent' })));
    expect(row).toMatchObject({ description: null, fees: 0n, exchange_rate: null, rate_details: null });
  });
});
