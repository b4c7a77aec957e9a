import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  employed,
  executeAs,
  newQuoteAs,
  payOut,
  pullIn,
  quoteAs,
  type Staffed,
  staffed,
  usageOf,
} from '../support/agents.ts';
import type { Answer, Client, Json } from '../support/client.ts';
import { eventually, expectStatus, quoteBody, untilTransaction } from '../support/flows.ts';
import { balanceOf, registerEur, registerUsd, sandboxAddress, toAddress } from '../support/payments.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { shiftableClock } from '../support/time.ts';

const clock = shiftableClock();
const day = 86_400_000;

let service: TestService;
let client: Client;
let other: Staffed;
beforeAll(async () => {
  service = await startTestService({ clock });
  ({ client } = service);
  other = await staffed(client);
});
afterAll(() => service.stop());

const reasonOf = (answer: Answer): string => expectProblem(answer, 403, 'FORBIDDEN').details.reason;
const actionsOf = async ({ me }: Staffed): Promise<Json> =>
  expectStatus(await me.get('/agents/me/actions'), 200).totalCount;
const limited = (spendingLimits: Json, amount?: number) => staffed(client, { spendingLimits }, amount);

type Way = (one: Staffed, amount: number) => Promise<Answer>;
const ways: [string, Way][] = [
  ['a transfer out', payOut],
  ['a transfer in', pullIn],
  ['a quote', async (one, amount) => executeAs(one, await newQuoteAs(one, { lockedCurrencyAmount: amount }))],
  [
    'a quote at once',
    (one, amount) => quoteAs(one, { lockedCurrencyAmount: amount, immediatelyExecute: true }),
  ],
];

describe.each(ways)('%s', (_what, pay) => {
  it('is done, counted, and known as the agent’s', async () => {
    const one = await staffed(client);
    const { body, status } = await pay(one, 5_000);
    expect(status).toBeOneOf([200, 201]);
    expect(body.status).toBeOneOf(['APPROVED', 'PROCESSING', 'COMPLETED']);
    const { data } = expectStatus(await one.me.get('/agents/me/actions'), 200);
    expect(data).toMatchObject([{ status: 'APPROVED', transaction: { agentId: one.agent.id } }]);
    expect(await usageOf(one)).toMatchObject({
      dailyTransactionCount: 1,
      dailySpend: 5_000,
      monthlySpend: 5_000,
    });
    await untilTransaction(client, data[0].transaction.id, 'COMPLETED');
    const read = expectStatus(await one.me.get(`/agents/me/actions/${data[0].id}`), 200);
    expect(read).toMatchObject({ status: 'APPROVED', transaction: { status: 'COMPLETED' } });
  });

  it.each<[string, Json, number]>([
    ['PER_TRANSACTION_LIMIT', { perTransactionLimit: 4_999 }, 0],
    ['DAILY_LIMIT', { dailyLimit: 5_099 }, 1],
    ['DAILY_TRANSACTION_LIMIT', { dailyTransactionLimit: 1 }, 1],
    ['MONTHLY_LIMIT', { monthlyLimit: 5_099 }, 1],
  ])('is refused for %s, and nothing is recorded', async (reason, limits, earlier) => {
    const one = await limited(limits);
    if (earlier) expectStatus(await payOut(one, 100), 201);
    const before = await usageOf(one);
    const problem = expectProblem(await pay(one, 5_000), 403, 'FORBIDDEN');
    expect(problem.details).toMatchObject({ reason, currency: 'USD', amount: 5_000 });
    expect(await usageOf(one)).toEqual(before);
    expect(await actionsOf(one)).toBe(earlier);
    expect(await balanceOf(client, one.customer.id)).toBe(1_000_000 - earlier * 100);
  });

  it('is refused while the agent is paused, before anything else', async () => {
    const one = await staffed(client, { permissions: ['CREATE_QUOTES'] });
    const paused = () => client.patch(`/agents/${one.agent.id}`, { isPaused: true });
    const later: Way = async (staff, amount) => {
      const quoted = await newQuoteAs(staff, { lockedCurrencyAmount: amount });
      expectStatus(await paused(), 200);
      return executeAs(staff, quoted);
    };
    if (_what === 'a quote') return void expect(reasonOf(await later(one, 5_000))).toBe('PAUSED');
    expectStatus(await paused(), 200);
    expect(reasonOf(await pay(one, 5_000))).toBe('PAUSED');
  });

  it('is refused without the permission, and with an account that is not allowed', async () => {
    const none = await staffed(client, { permissions: ['CREATE_QUOTES', 'VIEW_TRANSACTIONS'] });
    expect(reasonOf(await pay(none, 5_000))).toBe('PERMISSION');
    const elsewhere = await staffed(client);
    const quoted = await newQuoteAs(elsewhere);
    const accountRestrictions = { allowedAccountIds: [other.account.id] };
    const path = `/agents/${elsewhere.agent.id}/policy`;
    expectStatus(await client.patch(path, { accountRestrictions }), 200);
    const asked = _what === 'a quote' ? executeAs(elsewhere, quoted) : pay(elsewhere, 5_000);
    expect(reasonOf(await asked)).toBe('ACCOUNT_NOT_ALLOWED');
  });
});

describe('the counters', () => {
  it('start anew with the UTC day and the month, by the clock of the service', async () => {
    const one = await limited({ dailyLimit: 500, monthlyLimit: 800 });
    expectStatus(await payOut(one, 500), 201);
    const { dailyResetDate, monthlyResetMonth } = await usageOf(one);
    expect(Date.parse(dailyResetDate) - clock.now().getTime()).toBeGreaterThan(0);
    expect(Date.parse(dailyResetDate) - clock.now().getTime()).toBeLessThanOrEqual(day);
    expect(reasonOf(await payOut(one, 1))).toBe('DAILY_LIMIT');
    clock.forward(Date.parse(dailyResetDate) - clock.now().getTime());
    const sameMonth = clock.now().toISOString().slice(0, 7) !== monthlyResetMonth;
    expect(await usageOf(one)).toMatchObject({
      dailyTransactionCount: 0,
      dailySpend: 0,
      monthlySpend: sameMonth ? 500 : 0,
    });
    if (sameMonth) expect(reasonOf(await payOut(one, 301))).toBe('MONTHLY_LIMIT');
    expectStatus(await payOut(one, 300), 201);
    clock.forward(Date.parse(`${monthlyResetMonth}-01`) - clock.now().getTime());
    expect(await usageOf(one)).toMatchObject({ dailySpend: 0 });
    expectStatus(await payOut(one, 500), 201);
    const [listed] = expectStatus(await client.get('/agents', { customerId: one.customer.id }), 200).data;
    expect(listed.usage).toEqual(await usageOf(one));
  });

  it('count another currency at its worth', async () => {
    const one = await staffed(client, { spendingLimits: { currency: 'EUR', perTransactionLimit: 50_000 } });
    expectStatus(await payOut(one, 10_000), 201);
    const { dailySpend } = await usageOf(one);
    expect(dailySpend).toBeGreaterThan(5_000);
    expect(dailySpend).toBeLessThan(10_000);
  });

  it('do not count a quote that is not executed', async () => {
    const one = await limited({ perTransactionLimit: 1 });
    await newQuoteAs(one);
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 0, dailySpend: 0 });
  });

  it('count what a quote takes, fees included', async () => {
    const one = await staffed(client);
    const quoted = await newQuoteAs(one, { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 1_000 });
    expectStatus(await executeAs(one, quoted), 200);
    expect((await usageOf(one)).dailySpend).toBe(quoted.totalSendingAmount);
  });
});

describe('a payment that comes to nothing', () => {
  it.each([
    ['002', 'QUOTE_EXECUTION_FAILED'],
    ['003', 'OFFRAMP_FAILED'],
  ])(
    'at once, to an account that ends in %s, fails the action and does not count',
    async (suffix, reason) => {
      const one = await staffed(client);
      const bank = await registerUsd(client, one.customer.id, suffix);
      const action = expectStatus(await payOut({ ...one, bank }, 100), 201);
      expect(action).toMatchObject({
        status: 'FAILED',
        transaction: { status: 'FAILED', failureReason: reason, agentId: one.agent.id },
      });
      expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 0 });
      expect((await one.me.get(`/agents/me/actions/${action.id}`)).body.status).toBe('FAILED');
      await eventually(
        () => balanceOf(client, one.customer.id),
        (balance) => balance === 1_000_000,
      );
    },
  );

  it('later stays approved, and stays counted', async () => {
    const one = await staffed(client);
    const payee = await registerEur(client, one.customer.id, '002');
    const quoted = await newQuoteAs({ ...one, payee });
    const action = expectStatus(await executeAs(one, quoted), 200);
    await untilTransaction(client, quoted.transactionId, 'FAILED');
    const read = expectStatus(await one.me.get(`/agents/me/actions/${action.id}`), 200);
    expect(read).toMatchObject({ status: 'APPROVED', transaction: { status: 'FAILED' } });
    expect((await usageOf(one)).dailySpend).toBe(10_000);
  });

  it.each(ways.filter(([what]) => what !== 'a transfer in'))(
    'for want of money is refused, and nothing is recorded: %s',
    async (_what, pay) => {
      const one = await staffed(client, {}, 4_999);
      expectProblem(await pay(one, 5_000), 400, 'INSUFFICIENT_BALANCE');
      expect(await actionsOf(one)).toBe(0);
      expect(await usageOf(one)).toMatchObject({ dailySpend: 0 });
    },
  );

  it('leaves a quote that there is no money for as it was', async () => {
    const one = await staffed(client, {}, 100);
    const quoted = await newQuoteAs(one);
    expectProblem(await executeAs(one, quoted), 400, 'INSUFFICIENT_BALANCE');
    expect((await one.me.get(`/agents/me/quotes/${quoted.id}`)).body.status).toBe('PENDING');
  });
});

describe('a quote of an agent', () => {
  it('may pay a payment address', async () => {
    const one = await staffed(client);
    const body = await toAddress(client, one, sandboxAddress('success.eur'));
    const quoted = expectStatus(await one.me.post('/agents/me/quotes', body), 201);
    expectStatus(await executeAs(one, quoted), 200);
    await untilTransaction(client, quoted.transactionId, 'COMPLETED');
  });

  it('may be pulled from a bank, and is counted', async () => {
    const one = await staffed(client);
    const body = quoteBody(one.bank.id, one.payee.id);
    const quoted = expectStatus(await one.me.post('/agents/me/quotes', body), 201);
    expect(expectStatus(await executeAs(one, quoted), 200).status).toBe('APPROVED');
    expectProblem(await executeAs(one, quoted), 409, 'CONFLICT');
    const atOnce = { ...body, immediatelyExecute: true };
    expectStatus(await one.me.post('/agents/me/quotes', atOnce), 201);
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 2, dailySpend: 20_000 });
  });

  it('may be paid for from outside, and is then not executed', async () => {
    const one = await staffed(client);
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD' };
    const body = { ...quoteBody('', one.payee.id), source };
    const quoted = expectStatus(await one.me.post('/agents/me/quotes', body), 201);
    expect(quoted.source.customerId).toBe(one.customer.id);
    expectProblem(await executeAs(one, quoted), 400, 'INVALID_INPUT');
    const restricted = await employed(client, one.customer.id, { permissions: ['CREATE_QUOTES'] });
    const foreign = expectStatus(await restricted.me.post('/agents/me/quotes', body), 201);
    expect(reasonOf(await executeAs(restricted, foreign))).toBe('PERMISSION');
  });

  it('is executed once', async () => {
    const one = await staffed(client);
    const quoted = await newQuoteAs(one);
    expectStatus(await executeAs(one, quoted), 200);
    expectProblem(await executeAs(one, quoted), 409, 'CONFLICT');
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 1 });
  });

  it('is not executed after its time', async () => {
    const one = await staffed(client);
    const quoted = await newQuoteAs(one);
    clock.forward(300_001);
    expectProblem(await executeAs(one, quoted), 409, 'QUOTE_EXPIRED');
    expect(await actionsOf(one)).toBe(0);
  });

  it('needs the permission to create, and at once also that to execute', async () => {
    const one = await staffed(client, { permissions: ['EXECUTE_QUOTES'] });
    expect(reasonOf(await quoteAs(one))).toBe('PERMISSION');
    expect(reasonOf(await quoteAs(one, { immediatelyExecute: true }))).toBe('PERMISSION');
    const path = `/agents/${one.agent.id}/policy`;
    expectStatus(await client.patch(path, { permissions: ['CREATE_QUOTES'] }), 200);
    const quoted = await newQuoteAs(one);
    expect(reasonOf(await quoteAs(one, { immediatelyExecute: true }))).toBe('PERMISSION');
    expect(reasonOf(await executeAs(one, quoted))).toBe('PERMISSION');
    expectStatus(await one.me.get(`/agents/me/quotes/${quoted.id}`), 200);
    expectStatus(await client.patch(path, { permissions: ['VIEW_TRANSACTIONS'] }), 200);
    expect(reasonOf(await one.me.get(`/agents/me/quotes/${quoted.id}`))).toBe('PERMISSION');
  });

  it("takes its own customer's accounts only", async () => {
    const one = await staffed(client);
    const from = (accountId: string, customerId?: string) => ({
      ...quoteBody(accountId, one.payee.id),
      source: { accountId, ...(customerId && { customerId }) },
    });
    const post = (body: object) => one.me.post('/agents/me/quotes', body);
    expectProblem(await post(from(other.account.id)), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await post(quoteBody(one.account.id, other.payee.id)), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await post(quoteBody(one.account.id, other.account.id)), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await post(from(one.account.id, other.customer.id)), 404, 'USER_NOT_FOUND');
    expectStatus(await post(from(one.account.id, one.customer.id)), 201);
    expectProblem(await payOut({ ...one, account: other.account }, 100), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await payOut({ ...one, bank: other.bank }, 100), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await pullIn({ ...one, bank: other.bank }, 100), 404, 'REFERENCE_NOT_FOUND');
  });
});

describe("an agent's Idempotency-Key", () => {
  it('brings the first answer back, and pays once', async () => {
    const one = await staffed(client);
    const headers = { 'idempotency-key': randomUUID() };
    const first = expectStatus(await payOut(one, 100, headers), 201);
    const again = await payOut(one, 999, headers);
    expect(again.body).toEqual(first);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await balanceOf(client, one.customer.id)).toBe(999_900);
  });

  it('is the agent’s own', async () => {
    const one = await staffed(client);
    const second = { ...one, ...(await employed(client, one.customer.id)) };
    const headers = { 'idempotency-key': randomUUID() };
    const quotes = [await quoteAs(one, {}, headers), await quoteAs(second, {}, headers)];
    expect(new Set(quotes.map(({ body }) => body.id)).size).toBe(2);
    const out = [await payOut(one, 100, headers), await payOut(second, 100, headers)];
    expect(new Set(out.map(({ body }) => body.id)).size).toBe(2);
  });

  it('keeps a refusal', async () => {
    const one = await limited({ perTransactionLimit: 99 });
    const headers = { 'idempotency-key': randomUUID() };
    expect(reasonOf(await payOut(one, 100, headers))).toBe('PER_TRANSACTION_LIMIT');
    expect(reasonOf(await payOut(one, 99, headers))).toBe('PER_TRANSACTION_LIMIT');
  });
});
