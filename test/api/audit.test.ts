import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { clientOf } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  expectStatus,
  fund,
  quoteBody,
  registerPayee,
  untilTransaction,
} from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { issueToken } from '../support/resources/tokens.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);
let account: Json;
let customer: Json;

const of = (what: string, id = account.id) => `/audit/internal-accounts/${id}/${what}`;
const read = async (path: string, parameters: Record<string, string> = {}): Promise<Json> =>
  expectStatus(await client.get(path, parameters), 200);

beforeAll(async () => {
  customer = await createCustomer(client);
  account = await accountOf(client, customer.id);
  for (let n = 1; n <= 5; n++) await fund(client, account.id, n * 1_000);
  const payee = await registerPayee(client, { customerId: customer.id });
  const body = quoteBody(account.id, payee.id, { lockedCurrencyAmount: 700 });
  const quote = expectStatus(await client.post('/quotes', { ...body, immediatelyExecute: true }), 201);
  await untilTransaction(client, quote.transactionId, 'COMPLETED');
});

/** By the log alone: what a platform's account held by a clock up to a moment. */
async function heldBy(clock: string, at: string, like: string): Promise<number> {
  const moment = clock === 'recorded' ? "e.metadata->>'at'" : "least(e.data->>'at', e.metadata->>'at')";
  const [row] = await query<{ minor: string }>(
    service.databaseUrl,
    `select coalesce(sum((p->>'minor')::numeric), 0)::text as minor
     from daybook_log.events e cross join jsonb_array_elements(e.data->'postings') p
     where ${moment} <= $1 and p->>'account' like $2 and p->>'currency' = 'USD'`,
    [at, like],
  );
  return Number(row?.minor);
}

describe.each(['recorded', 'happened'])('by what was %s', (clock) => {
  it('a balance and the trial balance at each moment are those of the log', async () => {
    const { data } = await read(of('statement'), { clock, limit: '100' });
    expect(data).toHaveLength(6);
    const moments = data.flatMap((entry: Json) => {
      const at = entry[`${clock}At`];
      return [at, new Date(Date.parse(at) - 1).toISOString(), new Date(Date.parse(at) + 1).toISOString()];
    });
    for (const at of moments) {
      const { balance } = await read(of('balance'), { clock, at });
      expect([at, balance.amount]).toEqual([at, await heldBy(clock, at, account.id)]);
      const lines = (await read('/audit/trial-balance', { clock, at })).data;
      expect(lines.map(({ total }: Json) => total)).toEqual(lines.map(() => 0));
      const usd = lines.find(({ currency }: Json) => currency.code === 'USD');
      expect(usd.internal).toBe(await heldBy(clock, at, 'InternalAccount:%'));
      expect(usd.rail).toBe(await heldBy(clock, at, 'rail'));
    }
  });

  it('a statement is paged, and its figures add up', async () => {
    const whole = await read(of('statement'), { clock, limit: '100' });
    const [, second, , fourth] = whole.data as [Json, Json, Json, Json];
    const period = { clock, from: second[`${clock}At`], to: fourth[`${clock}At`] };
    const statement = await read(of('statement'), period);
    expect(statement.data).toEqual(whole.data.slice(1, 4));
    const sum = statement.data.reduce((total: number, { amount }: Json) => total + amount.amount, 0);
    expect(statement.opening.amount + sum).toBe(statement.closing.amount);
    const first = await read(of('statement'), { ...period, limit: '2' });
    expect([first.hasMore, first.totalCount]).toEqual([true, 3]);
    const rest = await read(of('statement'), { ...period, limit: '2', cursor: first.nextCursor });
    expect([...first.data, ...rest.data]).toEqual(statement.data);
    expect(rest.hasMore).toBe(false);
  });
});

it('what an account holds now is told without a moment', async () => {
  const { balance, asOf } = await read(of('balance'));
  expect(balance.amount).toBe(15_000 - 700);
  expect(asOf).toMatch(/^[1-9]\d*$/);
  expect((await read(of('balance'), { at: '2020-01-01' })).balance.amount).toBe(0);
});

it('the history of an object is told in words, without personal data', async () => {
  const { data, hasMore, nextCursor, totalCount } = await read(of('history'), { limit: '3' });
  expect([data.map(({ type }: Json) => type), hasMore]).toEqual([
    ['AccountOpened', 'AccountCredited', 'AccountCredited'],
    true,
  ]);
  expect(data[1]).toMatchObject({
    revision: 1,
    description: expect.stringMatching(/^USD 10\.00 came into the account/),
    postings: [
      { account: 'rail', amount: { amount: -1_000 } },
      { account: account.id, amount: { amount: 1_000 } },
    ],
    actor: expect.stringMatching(/^token:/),
    requestId: expect.any(String),
  });
  const rest = await read(of('history'), { cursor: nextCursor });
  expect([totalCount, rest.totalCount]).toEqual([3 + rest.data.length, totalCount]);
  expect(rest.data.map(({ revision }: Json) => revision)).toEqual([3, 4, 5, 6]);
  const told = await read(`/audit/customers/${customer.id}/history`);
  expect(told.data[0]).toMatchObject({ type: 'CustomerCreated', revision: 0 });
  expect(JSON.stringify(told)).not.toContain(customer.fullName);
  const { transactionId } = (await read(of('statement'), { limit: '100' })).data.at(-1);
  const payment = await read(`/audit/transactions/${transactionId}/history`);
  expect(payment.data.map(({ type }: Json) => type)).toEqual(
    expect.arrayContaining(['QuoteCreated', 'TransactionProcessing', 'TransactionCompleted']),
  );
});

it('a cursor belongs to its list, with its filters', async () => {
  const next = async (path: string, parameters: Record<string, string> = {}) =>
    (await read(path, { limit: '2', ...parameters })).nextCursor;
  const cursors = {
    statement: await next(of('statement')),
    history: await next(of('history')),
    checkpoints: await next('/audit/checkpoints', { limit: '1' }),
  };
  const others: readonly (readonly [string, keyof typeof cursors, Record<string, string>])[] = [
    [of('statement'), 'statement', { clock: 'happened' }],
    [of('statement'), 'statement', { from: '2020-01-01' }],
    [of('statement'), 'history', {}],
    [of('history'), 'statement', {}],
    [`/audit/customers/${customer.id}/history`, 'history', {}],
    ['/audit/checkpoints', 'statement', {}],
  ];
  for (const [path, from, parameters] of others) {
    const answer = await client.get(path, { ...parameters, cursor: cursors[from] });
    expect(expectProblem(answer, 400, 'INVALID_INPUT').message).toContain(
      'belongs to a list with other filters',
    );
  }
});

describe('another platform', () => {
  it.each(['balance', 'statement', 'history'])('does not find the account: %s', async (what) => {
    expectProblem(await beside.client.get(of(what)), 404, 'REFERENCE_NOT_FOUND');
  });

  it('has books of its own', async () => {
    const { data } = expectStatus(await beside.client.get('/audit/trial-balance'), 200);
    expect(data.filter(({ internal }: Json) => internal !== 0)).toEqual([]);
  });
});

it('a token that may only read may read all of it', async () => {
  const token = await issueToken(client, ['VIEW']);
  const reader = clientOf(service.url, { clientId: token.clientId, clientSecret: token.clientSecret });
  expectStatus(await reader.get(of('balance')), 200);
});

it.each([
  ['balance', { at: 'yesterday' }],
  ['balance', { clock: 'wall' }],
  ['statement', { cursor: 'bm9uZQ' }],
  ['statement', { from: '2026-02-01', to: '2026-01-31' }],
  ['history', { cursor: '!' }],
])('%s with %j is refused', async (what, parameters) => {
  expectProblem(await client.get(of(what), parameters as Record<string, string>), 400, 'INVALID_INPUT');
});

it('says that the books have to be rebuilt where they have no balances yet', async () => {
  await query(
    service.databaseUrl,
    'update daybook.postings set recorded_high = null where position = (select min(position) from daybook.postings)',
  );
  for (const path of [of('balance'), of('statement'), '/audit/trial-balance'])
    expectProblem(await client.get(path), 503, 'SERVICE_UNAVAILABLE');
});
