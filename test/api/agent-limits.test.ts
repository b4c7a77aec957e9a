import { describe, expect, it } from 'vitest';
import { type Answer, agentClientOf } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  executeAs,
  newQuoteAs,
  payOut,
  pullIn,
  quoteAs,
  type Staffed,
  staffed,
  usageOf,
} from '../support/resources/agents.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { balanceOf } from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';

const parallel = 50;
const covered = 7;

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

/** The same agent, at one process and at the other. */
const atBoth = (one: Staffed): [Staffed, Staffed] => [
  one,
  { ...one, me: agentClientOf(beside.client, one.accessToken) },
];

const outcomeOf = ({ status }: Answer) =>
  status === 403 ? 'lost' : status === 200 || status === 201 ? 'won' : 'neither';

type Way = (one: Staffed, n: number) => Promise<Answer>;
const ways: [string, Way][] = [
  ['transfers out', (one) => payOut(one, 1_000)],
  ['transfers in', (one) => pullIn(one, 1_000)],
  ['quotes at once', (one) => quoteAs(one, { lockedCurrencyAmount: 1_000, immediatelyExecute: true })],
  ['quotes', async (one) => executeAs(one, await newQuoteAs(one, { lockedCurrencyAmount: 1_000 }))],
];

describe.each<[string, object]>([
  ['DAILY_LIMIT', { dailyLimit: 7_999 }],
  ['DAILY_TRANSACTION_LIMIT', { dailyTransactionLimit: covered }],
  ['MONTHLY_LIMIT', { monthlyLimit: 7_000 }],
])(`of ${parallel} payments at once against %s`, (reason, spendingLimits) => {
  it.each(ways)(`${covered} succeed, over two processes: %s`, async (_what, pay) => {
    const one = await staffed(client, { spendingLimits });
    const both = atBoth(one);
    const answers = await together(parallel, (n) => pay(both[n % 2] ?? one, n));
    const { won = [], lost = [], neither = [] } = Object.groupBy(answers, outcomeOf);
    expect(neither).toEqual([]);
    expect([won.length, lost.length]).toEqual([covered, parallel - covered]);
    for (const answer of lost) expect(expectProblem(answer, 403, 'FORBIDDEN').details.reason).toBe(reason);
    expect(await usageOf(one)).toMatchObject({
      dailyTransactionCount: covered,
      dailySpend: covered * 1_000,
      monthlySpend: covered * 1_000,
    });
    const actions = expectStatus(await one.me.get('/agents/me/actions', { limit: '100' }), 200);
    expect(actions.totalCount).toBe(covered);
  });
});

describe('payments at once', () => {
  it('are counted as far as the money of the account goes', async () => {
    const one = await staffed(client, { spendingLimits: { dailyTransactionLimit: 40 } }, 3_500);
    const both = atBoth(one);
    const answers = await together(20, (n) => payOut(both[n % 2] ?? one, 1_000));
    expect(countByStatus(answers)).toEqual({ 201: 3, 400: 17 });
    const details = { accountId: one.account.id, currency: 'USD', balance: 500, required: 1_000 };
    for (const answer of answers.filter(({ status }) => status === 400))
      expect(expectProblem(answer, 400, 'INSUFFICIENT_BALANCE').details).toEqual(details);
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 3, dailySpend: 3_000 });
    expect(await balanceOf(client, one.customer.id)).toBe(500);
    const { data } = expectStatus(await one.me.get('/agents/me/actions', { limit: '100' }), 200);
    const statuses = data.map(({ status }: { status: string }) => status);
    expect(statuses.filter((status: string) => status === 'APPROVED').length).toBe(3);
  });

  it('execute a quote once, though its agent and its platform both ask', async () => {
    const one = await staffed(client);
    const quoted = await newQuoteAs(one);
    const byPlatform = () => client.post(`/quotes/${quoted.id}/execute`);
    const answers = await together(20, (n) => (n % 2 ? executeAs(one, quoted) : byPlatform()));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 19 });
    expect(await balanceOf(client, one.customer.id)).toBe(990_000);
    const won = answers.findIndex(({ status }) => status === 200) % 2;
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: won, dailySpend: won * 10_000 });
  });

  it('leave the books balanced', async () => {
    const balanced = await eventually(
      async () => expectStatus(await client.get('/platform/trial-balance'), 200).data,
      (data) => data.every(({ inFlight }: { inFlight: number }) => inFlight === 0),
    );
    for (const { total } of balanced) expect(total).toBe(0);
  });
});
