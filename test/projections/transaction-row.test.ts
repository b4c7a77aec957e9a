import { describe, expect, it } from 'vitest';
import { rowOfPayment, rowOfTerms, type TransactionRow } from '../../projections/models/transaction-row.ts';
import { transactions } from '../../projections/models/transactions.ts';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { TransactionEvent } from '../../src/domain/payments/events.ts';
import { mayMove } from '../../src/domain/payments/moves.ts';
import { ofIncoming, ofQuote, ofTransfer } from '../../src/domain/payments/terms.ts';
import { transaction } from '../../src/domain/payments/transaction.ts';
import { accountId, externalAccountId } from '../support/builders/identities.ts';
import { eventsOfEveryType, paymentsInEveryStage } from '../support/builders/stages.ts';
import {
  fromOutside,
  incomingPayment,
  quoteTerms,
  toAddress,
  transferIn,
  transferOut,
} from '../support/builders/terms.ts';
import { historiesOf, kinds } from '../support/builders/transaction-commands.ts';
import { recorded } from '../support/domain-events.ts';
import { stateOf } from '../support/spec.ts';

/** A table of one row: what the projection's statements leave behind, without a database. */
function tableOfOne() {
  const table: { row?: TransactionRow } = {};
  const update = {
    set(changes: Partial<TransactionRow>) {
      table.row = { ...table.row, ...changes } as TransactionRow;
      return update;
    },
    where: () => update,
    returning: () => update,
    executeTakeFirstOrThrow: async () => table.row,
  };
  const select = {
    select: () => select,
    where: () => select,
    executeTakeFirstOrThrow: async () => table.row,
  };
  const db = {
    insertInto: () => ({
      values: (row: TransactionRow) => ({
        execute: async () => {
          table.row = row;
        },
      }),
    }),
    updateTable: () => update,
    selectFrom: () => select,
  };
  return { table, db: db as never };
}

async function projected(events: readonly TransactionEvent[]): Promise<TransactionRow | undefined> {
  const { table, db } = tableOfOne();
  for (const event of events) await transactions.project(recorded(event) as DomainEvent, db);
  return table.row;
}

describe('the row of a payment in a state', () => {
  it.each(kinds)('is the row that its events make of it: %s', async (kind) => {
    const histories = historiesOf(kind);
    for (const history of histories) {
      const state = stateOf(transaction, ...history);
      const row = state.status === 'NONE' ? undefined : rowOfPayment(state);
      expect(row, history.map(({ type }) => type).join()).toEqual(await projected(history));
    }
    expect(histories.length).toBeGreaterThan(kind === 'deposit' ? 0 : 1);
  });
});

describe('the status of a row', () => {
  const follows = (history: readonly TransactionEvent[], { type }: TransactionEvent) =>
    mayMove(stateOf(transaction, ...history), type);

  it.each(eventsOfEveryType)('is that of the stage which the payment has after $type', async (event) => {
    const histories = paymentsInEveryStage.map(([, history]) => history);
    const lived = histories
      .filter((history) => follows(history, event))
      .map((history) => [...history, event]);
    const statuses = lived.map((history) => stateOf(transaction, ...history).status);
    const rows = await Promise.all(lived.map(projected));
    expect(rows.map((row) => row?.status)).toEqual(statuses);
    expect(rows.length).toBeGreaterThan(0);
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

  it('describes a transfer by its remittance information, and has no price', () => {
    const row = rowOfTerms(ofTransfer(transferOut({ remittanceInformation: 'Rent' })));
    expect(row).toMatchObject({ description: 'Rent', fees: 0n, exchange_rate: null, rate_details: null });
  });
});
