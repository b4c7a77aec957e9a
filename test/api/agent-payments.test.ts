import { describe, expect, it } from 'vitest';
import type { Answer, Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  actionsOf,
  approvalRequired,
  approve,
  executeAs,
  limited,
  newQuoteAs,
  payOut,
  pullIn,
  quoteAs,
  reasonOf,
  type Staffed,
  staffed,
  usageOf,
} from '../support/resources/agents.ts';
import { eventually, expectStatus, untilTransaction } from '../support/resources/flows.ts';
import { balanceOf, registerEur, registerUsd } from '../support/resources/payments.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();
const day = 86_400_000;

const service = serviceOfTests({ clock });
const { client } = service;

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

it('a transfer out goes by the rail that it names, at once and by approval', async () => {
  for (const policy of [{}, approvalRequired]) {
    const { me, account, bank } = await staffed(client, policy);
    const memo = { remittanceInformation: 'Rent, May', purposeOfPayment: 'SALARY_PAYMENT' };
    const destination = { accountId: bank.id, paymentRail: 'WIRE' };
    const body = { source: { accountId: account.id }, destination, amount: 5, ...memo };
    const asked = expectStatus(await me.post('/agents/me/transfer-out', body), 201);
    const action = policy === approvalRequired ? expectStatus(await approve(client, asked), 200) : asked;
    expect(action).toMatchObject({ status: 'APPROVED', transaction: { paymentRail: 'WIRE' } });
    const [started] = await query<{ transfer: Json }>(
      service.databaseUrl,
      `select data -> 'operation' -> 'transfer' as transfer from daybook_log.events
       where type = 'AgentActionStarted' and data ->> 'actionId' = $1`,
      [action.id],
    );
    expect(started?.transfer).toMatchObject({
      destination: { paymentRail: 'WIRE' },
      purposeOfPayment: memo.purposeOfPayment,
      // Its text is sealed.
      remittanceInformation: expect.any(String),
    });
  }
});

describe.each(ways)('%s', (_what, pay) => {
  it('is counted, and known as the agent’s', async () => {
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
  ])('is refused for %s without a trace', async (reason, limits, earlier) => {
    const one = await limited(client, limits);
    if (earlier) expectStatus(await payOut(one, 100), 201);
    const before = await usageOf(one);
    const problem = expectProblem(await pay(one, 5_000), 403, 'FORBIDDEN');
    expect(problem.details).toMatchObject({ reason, currency: 'USD', amount: 5_000 });
    expect(await usageOf(one)).toEqual(before);
    expect(await actionsOf(one)).toBe(earlier);
    expect(await balanceOf(client, one.customer.id)).toBe(1_000_000 - earlier * 100);
  });

  it('is refused first of all while the agent is paused', async () => {
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

  it('is refused without the permission or an account that is allowed', async () => {
    const none = await staffed(client, { permissions: ['CREATE_QUOTES', 'VIEW_TRANSACTIONS'] });
    expect(reasonOf(await pay(none, 5_000))).toBe('PERMISSION');
    const elsewhere = await staffed(client);
    const quoted = await newQuoteAs(elsewhere);
    const accountRestrictions = { allowedAccountIds: [] };
    const path = `/agents/${elsewhere.agent.id}/policy`;
    expectStatus(await client.patch(path, { accountRestrictions }), 200);
    const asked = _what === 'a quote' ? executeAs(elsewhere, quoted) : pay(elsewhere, 5_000);
    expect(reasonOf(await asked)).toBe('ACCOUNT_NOT_ALLOWED');
  });
});

describe('the counters', () => {
  const advanceTo = (at: number) => clock.advance(at - clock.now().getTime());
  /** Noon of a day of the month after this one. */
  const inNextMonth = (date: number) =>
    Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() + 1, date, 12);

  it('start anew with the UTC day and the month of the service', async () => {
    advanceTo(inNextMonth(10));
    const one = await limited(client, { dailyLimit: 500, monthlyLimit: 800 });
    expectStatus(await payOut(one, 500), 201);
    const { dailyResetDate, monthlyResetMonth } = await usageOf(one);
    expect(Date.parse(dailyResetDate) - clock.now().getTime()).toBeGreaterThan(0);
    expect(Date.parse(dailyResetDate) - clock.now().getTime()).toBeLessThanOrEqual(day);
    expect(reasonOf(await payOut(one, 1))).toBe('DAILY_LIMIT');
    advanceTo(Date.parse(dailyResetDate));
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 500 });
    expect(reasonOf(await payOut(one, 301))).toBe('MONTHLY_LIMIT');
    expectStatus(await payOut(one, 300), 201);
    advanceTo(Date.parse(`${monthlyResetMonth}-01`));
    expect(await usageOf(one)).toMatchObject({ dailySpend: 0, monthlySpend: 0 });
    expectStatus(await payOut(one, 500), 201);
    const [listed] = expectStatus(await client.get('/agents', { customerId: one.customer.id }), 200).data;
    expect(listed.usage).toEqual(await usageOf(one));
  });

  it('start anew together where the next day is the first of a month', async () => {
    advanceTo(inNextMonth(28));
    advanceTo(inNextMonth(0));
    const one = await limited(client, { dailyLimit: 500, monthlyLimit: 500 });
    expectStatus(await payOut(one, 500), 201);
    const { dailyResetDate, monthlyResetMonth } = await usageOf(one);
    expect(dailyResetDate).toBe(`${monthlyResetMonth}-01`);
    expect(reasonOf(await payOut(one, 1))).toBe('DAILY_LIMIT');
    advanceTo(Date.parse(dailyResetDate));
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 0 });
    expectStatus(await payOut(one, 500), 201);
  });

  it('count another currency at its worth', async () => {
    const one = await staffed(client, { spendingLimits: { currency: 'EUR', perTransactionLimit: 50_000 } });
    expectStatus(await payOut(one, 10_000), 201);
    const { dailySpend } = await usageOf(one);
    expect(dailySpend).toBeGreaterThan(5_000);
    expect(dailySpend).toBeLessThan(10_000);
  });

  it('do not count a quote that is not executed', async () => {
    const one = await limited(client, { perTransactionLimit: 1 });
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
  ])('does not count when it fails at once, to an account that ends in %s', async (suffix, reason) => {
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
  });

  it('stays counted when it fails later', async () => {
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
    'is refused for want of money without a trace: %s',
    async (_what, pay) => {
      const one = await staffed(client, {}, 4_999);
      expectProblem(await pay(one, 5_000), 400, 'INSUFFICIENT_BALANCE');
      expect(await actionsOf(one)).toBe(0);
      expect(await usageOf(one)).toMatchObject({ dailySpend: 0 });
    },
  );

  it('leaves a quote without money as it was', async () => {
    const one = await staffed(client, {}, 100);
    const quoted = await newQuoteAs(one);
    expectProblem(await executeAs(one, quoted), 400, 'INSUFFICIENT_BALANCE');
    expect((await one.me.get(`/agents/me/quotes/${quoted.id}`)).body.status).toBe('PENDING');
  });
});
