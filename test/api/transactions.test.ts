import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { allPages, cursorOf, idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  expectStatus,
  fund,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { idOfNobody } from '../support/values/ids.ts';

type Query = Record<string, string>;

const service = serviceOfTests();
const { client } = service;
let parties: Awaited<ReturnType<typeof payoutParties>>;
let deposit: Json;
let payout: Json;
let pending: Json;
beforeAll(async () => {
  await payoutParties(client, 5_000);
  parties = await payoutParties(client, 100_000);
  const { account, payee } = parties;
  [deposit] = (await client.get('/transactions', { accountIdentifier: account.id })).body.data;
  payout = await quoted('RECEIVING');
  expectStatus(await client.post(`/quotes/${payout.quoteId}/execute`), 200);
  payout = await untilTransaction(client, payout.id, 'COMPLETED');
  pending = await quoted('SENDING');

  async function quoted(lockedCurrencySide: string): Promise<Json> {
    const body = quoteBody(account.id, payee.id, { lockedCurrencySide });
    const { transactionId } = expectStatus(await client.post('/quotes', body), 201);
    return (await client.get(`/transactions/${transactionId}`)).body;
  }
});

const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
const mine = (query: Query) => idsIn(client, '/transactions', { customerId: parties.customer.id, ...query });

describe('a deposit', () => {
  it('is a completed incoming transaction', () => {
    const { customer, account } = parties;
    expect(deposit).toMatchObject({
      status: 'COMPLETED',
      type: 'INCOMING',
      direction: 'CREDIT',
      customerId: customer.id,
      fees: 0,
      platformCustomerId: customer.platformCustomerId,
      receivedAmount: { amount: 100_000, currency: { code: 'USD', decimals: 2 } },
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: customer.id },
      destination: { destinationType: 'ACCOUNT', accountId: account.id, currency: 'USD' },
    });
    expect(Date.parse(deposit.settledAt)).toBeGreaterThanOrEqual(Date.parse(deposit.createdAt));
  });

  it("carries the reference of the account's payment instructions", () => {
    const [instructions] = parties.account.fundingPaymentInstructions;
    expect(deposit.reconciliationInstructions.reference).toBe(instructions.accountOrWalletInfo.reference);
  });

  it('reads the same in the list and by itself', async () => {
    expect(expectStatus(await client.get(`/transactions/${deposit.id}`), 200)).toEqual(deposit);
  });

  it.each([
    ['zero', 0],
    ['negative', -1],
    ['a fraction', 0.5],
    ['text', '1'],
    ['above the limit', 100_000_000_001],
    ['of 300 digits', 10n ** 299n],
  ])('cannot be %s', async (_what, amount) => {
    const answer = await client.post(`/sandbox/internal-accounts/${parties.account.id}/fund`, { amount });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_AMOUNT'))).toEqual(['amount']);
  });
});

describe('the list of transactions', () => {
  it.each<[string, () => Query, () => Json[]]>([
    ['customerId', () => ({}), () => [pending, payout, deposit]],
    [
      'platformCustomerId',
      () => ({ platformCustomerId: parties.customer.platformCustomerId }),
      () => [pending, payout, deposit],
    ],
    [
      'an account on either side',
      () => ({ accountIdentifier: parties.account.id }),
      () => [pending, payout, deposit],
    ],
    ['the other account', () => ({ accountIdentifier: parties.payee.id }), () => [pending, payout]],
    ['the sender', () => ({ senderAccountIdentifier: parties.account.id }), () => [pending, payout]],
    ['the receiver', () => ({ receiverAccountIdentifier: parties.account.id }), () => [deposit]],
    [
      'the receiver outside',
      () => ({ receiverAccountIdentifier: parties.payee.id }),
      () => [pending, payout],
    ],
    ['status PENDING', () => ({ status: 'PENDING' }), () => [pending]],
    ['status COMPLETED', () => ({ status: 'COMPLETED' }), () => [payout, deposit]],
    ['type INCOMING', () => ({ type: 'INCOMING' }), () => [deposit]],
    ['type OUTGOING', () => ({ type: 'OUTGOING' }), () => [pending, payout]],
    ['reference', () => ({ reference: payout.reconciliationInstructions.reference }), () => [payout]],
    [
      'a deposit’s reference',
      () => ({ reference: deposit.reconciliationInstructions.reference }),
      () => [deposit],
    ],
    ['startDate, inclusive', () => ({ startDate: payout.createdAt }), () => [pending, payout]],
    ['startDate, a millisecond later', () => ({ startDate: later(payout.createdAt, 1) }), () => [pending]],
    ['endDate, inclusive', () => ({ endDate: payout.createdAt }), () => [payout, deposit]],
    ['endDate, a millisecond earlier', () => ({ endDate: later(payout.createdAt, -1) }), () => [deposit]],
    ['both dates', () => ({ startDate: payout.createdAt, endDate: payout.createdAt }), () => [payout]],
    [
      'bare dates',
      () => ({ startDate: '2000-01-01', endDate: '2999-01-01' }),
      () => [pending, payout, deposit],
    ],
    ['several at once', () => ({ status: 'COMPLETED', type: 'OUTGOING' }), () => [payout]],
    ['oldest first', () => ({ sortOrder: 'asc' }), () => [deposit, payout, pending]],
    ['newest first', () => ({ sortOrder: 'desc' }), () => [pending, payout, deposit]],
    ['a status that none has', () => ({ status: 'REFUNDED' }), () => []],
    ['an account that none has', () => ({ accountIdentifier: '$nobody@example.com' }), () => []],
    ['contradicting filters', () => ({ type: 'INCOMING', status: 'PENDING' }), () => []],
  ])('filters by %s', async (_what, query, expected) => {
    expect(await mine(query())).toEqual(expected().map(({ id }) => id));
  });

  it.each([
    ['status', { status: 'DONE' }],
    ['type', { type: 'SIDEWAYS' }],
    ['sortOrder', { sortOrder: 'newest' }],
    ['startDate', { startDate: 'yesterday' }],
    ['endDate', { endDate: '2026-13-01' }],
    ['customerId', { customerId: 'ada' }],
    ['limit', { limit: '0' }],
    ['cursor', { cursor: 'nonsense' }],
    ['reference', { reference: '\u0000' }],
  ])('refuses a bad %s', async (field, query) => {
    const problem = expectProblem(await client.get('/transactions', query), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual([field]);
  });

  it('names every filter that is bad', async () => {
    const query = { status: 'DONE', type: 'SIDEWAYS', limit: 'abc', startDate: 'never' };
    const problem = expectProblem(await client.get('/transactions', query), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['limit', 'startDate', 'status', 'type']);
  });
});

describe('pages of transactions', () => {
  it.each(['asc', 'desc'])('show every row once %s', async (sortOrder) => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => fund(client, parties.account.id, n + 1)));
    const all = await mine({ sortOrder });
    const rows = await allPages(client, '/transactions', {
      customerId: parties.customer.id,
      sortOrder,
      limit: '3',
    });
    expect(rows.map(({ id }) => id)).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  });

  it('have a cursor of their own direction', async () => {
    const cursor = await cursorOf(client, '/transactions', { limit: '1', sortOrder: 'asc' });
    expectProblem(await client.get('/transactions', { cursor }), 400, 'INVALID_INPUT');
    expectStatus(await client.get('/transactions', { cursor, sortOrder: 'asc' }), 200);
  });
});

describe('a transaction that is not there', () => {
  it.each([idOfNobody('Transaction'), 'nonsense'])('is not found under %s', async (id) => {
    expectProblem(await client.get(`/transactions/${id}`), 404, 'TRANSACTION_NOT_FOUND');
  });
});
