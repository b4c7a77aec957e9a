import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import {
  eventsOf,
  heldBy,
  inFlightOf,
  transactionCount,
  transactionOf,
  unbalanced,
  untilEnded,
} from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { payees, payers, startQuote } from '../support/resources/quote-ends.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.001' } });

const isPossible = (payer: string, payee: string) =>
  !(payee.startsWith('a payment address') && payer.includes('platform'));
const sides = [
  ['SENDING', undefined],
  ['RECEIVING', 5_000],
] as const;
const combinations = Object.keys(payers).flatMap((payer) =>
  Object.keys(payees)
    .filter((payee) => isPossible(payer, payee))
    .flatMap((payee) => sides.map(([side, amount]) => ({ payer, payee, side, amount }))),
);

const sumOf = (held: Readonly<Record<string, number>>) =>
  Object.values(held).reduce((sum, one) => sum + one, 0);

/** A quote from the one to the other, before it is started. */
async function quoteBetween({ payer, payee, side, amount }: (typeof combinations)[number]) {
  const { client } = service;
  const from = await (payers[payer] ?? fail(payer))(client);
  const to = await (payees[payee] ?? fail(payee))(client, from.customer);
  const locked = { lockedCurrencySide: side, lockedCurrencyAmount: amount ?? from.lockedAmount };
  const ends = { source: from.source, destination: to.destination, lookupId: to.lookupId };
  const quoted: Json = expectStatus(await client.post('/quotes', { ...ends, ...locked }), 201);
  const before = { source: await from.balance?.(), destination: await to.balance?.() };
  return { from, to, quoted, before };
}

function fail(name: string): never {
  throw new Error(`nothing is called ${name}`);
}

describe.each(combinations)('a quote from $payer to $payee with a locked $side amount', (one) => {
  it('moves exactly what it said', async () => {
    const { client, databaseUrl } = service;
    const { from, to, quoted, before } = await quoteBetween(one);
    const { id, transactionId, totalSendingAmount: sent, totalReceivingAmount: received } = quoted;
    expect(quoted).toMatchObject({ status: 'PENDING', source: from.source, destination: to.destination });
    expect(quoted.receivingCurrency.code).toBe(to.currency);
    expect(one.side === 'SENDING' ? sent : received).toBe(one.amount ?? from.lockedAmount);
    expect((await transactionOf(client, transactionId)).status).toBe('PENDING');
    const started = await startQuote(client, from.start, quoted);
    expect(['PROCESSING', 'COMPLETED']).toContain(started.status);
    const ended = await untilEnded(client, transactionId, 'COMPLETED');
    expect([ended.sentAmount.amount, ended.receivedAmount.amount]).toEqual([sent, received]);
    expect((await client.get(`/quotes/${id}`)).body).toMatchObject({ status: 'COMPLETED', id });
    if (from.balance) expect(await from.balance()).toBe(Number(before.source) - sent);
    if (to.balance) expect(await to.balance()).toBe(Number(before.destination) + received);
    expect(await inFlightOf(databaseUrl, transactionId)).toEqual({});
    expect(sumOf(await heldBy(databaseUrl, transactionId, 'fees'))).toBe(quoted.feesIncluded);
    expect(await unbalanced(client)).toEqual([]);
  });
});

describe('the amounts of a quote', () => {
  it.each(Object.keys(payers))(
    'have rate 1 and the fees as difference in one currency, from %s',
    async (payer) => {
      const payee = "another customer's account in dollars";
      const { quoted } = await quoteBetween({ payer, payee, side: 'SENDING', amount: undefined });
      if (payer === 'a stablecoin') return expect(quoted.exchangeRate).toBeGreaterThan(0.99);
      const { totalSendingAmount, totalReceivingAmount, feesIncluded, exchangeRate } = quoted;
      expect(exchangeRate).toBe(1);
      return expect(totalReceivingAmount).toBe(totalSendingAmount - feesIncluded);
    },
  );
});

describe('what a quote takes to run', () => {
  it('has one credit to the account that it pays', async () => {
    const { client, databaseUrl } = service;
    const one = { payer: "a customer's account", payee: "another customer's account" } as const;
    const { quoted } = await quoteBetween({ ...one, side: 'SENDING', amount: undefined });
    await startQuote(client, 'execute', quoted);
    await untilEnded(client, quoted.transactionId, 'COMPLETED');
    const types = (await eventsOf(databaseUrl, quoted.transactionId)).map(({ type }) => type);
    expect(types).toEqual(['QuoteCreated', 'TransactionProcessing', 'CreditDue', 'TransactionCompleted']);
  });

  it('has one transaction', async () => {
    const { client } = service;
    const one = { payer: "a customer's account", payee: 'a payment address' } as const;
    const { quoted } = await quoteBetween({ ...one, side: 'SENDING', amount: undefined });
    const before = await transactionCount(client);
    await startQuote(client, 'execute', quoted);
    await untilEnded(client, quoted.transactionId, 'COMPLETED');
    expect(await transactionCount(client)).toBe(before);
  });
});
