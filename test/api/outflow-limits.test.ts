/** How much may leave an account in a day, and how often in an hour. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer, Client, Json } from '../support/http/client.ts';
import { together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  actionsOf,
  approvalRequired,
  executeAs,
  newQuoteAs,
  payOut,
  staffed,
} from '../support/resources/agents.ts';
import { expectStatus, quoteBody } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  registerEur,
  registerUsd,
  transferOut,
} from '../support/resources/payments.ts';
import { setCurrencies } from '../support/resources/platform-config.ts';
import { startBeside } from '../support/resources/platforms.ts';

const service = serviceOfTests();

async function limited(limits: object, variables: Record<string, string> = {}): Promise<Client> {
  const platform = await startBeside(service, { variables: { DAYBOOK_ROLES: 'api', ...variables } });
  onTestFinished(() => platform.stop());
  await setCurrencies(platform.client, { USD: limits });
  return platform.client;
}

async function partiesOf(client: Client) {
  const { customer, account } = await customerWith(client, 1_000_000);
  const eur = await registerEur(client, customer.id);
  return { customer, account, eur, usd: await registerUsd(client, customer.id) };
}
type Parties = Awaited<ReturnType<typeof partiesOf>>;

const daily = [429, 'DAILY_VOLUME_LIMIT_EXCEEDED'] as const;
const hourly = [403, 'VELOCITY_LIMIT_EXCEEDED'] as const;

type Way = (client: Client, parties: Parties, amount: number) => Promise<Answer>;
const ways: readonly (readonly [string, Way])[] = [
  ['a transfer out', (client, { account, usd }, amount) => transferOut(client, account.id, usd.id, amount)],
  [
    'a quote that is executed',
    async (client, { account, eur }, amount) => {
      const body = quoteBody(account.id, eur.id, { lockedCurrencyAmount: amount });
      const { id } = expectStatus(await client.post('/quotes', body), 201);
      return client.post(`/quotes/${id}/execute`);
    },
  ],
  [
    'a quote with immediatelyExecute',
    (client, { account, eur }, amount) => {
      const asked = { lockedCurrencyAmount: amount, immediatelyExecute: true };
      return client.post('/quotes', quoteBody(account.id, eur.id, asked));
    },
  ],
];

describe.each(ways)('%s', (_what, pay) => {
  it('is refused beyond the volume of a day', async () => {
    const client = await limited({ dailyVolumeLimit: 10_000 });
    const parties = await partiesOf(client);
    expect((await pay(client, parties, 10_000)).status).toBeLessThan(300);
    const problem = expectProblem(await pay(client, parties, 10_000), ...daily);
    expect(problem.details).toMatchObject({ currency: 'USD', limit: 10_000, amount: 10_000 });
    expect(await balanceOf(client, parties.customer.id)).toBe(990_000);
  });

  it('is refused beyond the number of an hour', async () => {
    const client = await limited({ velocityLimit: 1 });
    const parties = await partiesOf(client);
    expect((await pay(client, parties, 500)).status).toBeLessThan(300);
    // The hour may end in between, once.
    const answers = [await pay(client, parties, 500), await pay(client, parties, 500)];
    const refused = answers.filter(({ status }) => status >= 400);
    for (const answer of refused) expectProblem(answer, ...hourly);
    expect(refused.length).toBeGreaterThan(0);
  });
});

describe('the volume of a day', () => {
  it('is not passed by many at once', async () => {
    const client = await limited({ dailyVolumeLimit: 3_000 });
    const { customer, account, usd } = await partiesOf(client);
    const answers = await together(8, () => transferOut(client, account.id, usd.id, 1_000));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectProblem(answer, ...daily);
    expect(await balanceOf(client, customer.id)).toBe(997_000);
  });

  it("is each account's own", async () => {
    const client = await limited({ dailyVolumeLimit: 1_000 });
    for (const { account, usd } of [await partiesOf(client), await partiesOf(client)])
      expectStatus(await transferOut(client, account.id, usd.id, 1_000), 201);
  });

  it('does not count what is taken in', async () => {
    const client = await limited({ dailyVolumeLimit: 0 });
    const { account, eur } = await partiesOf(client);
    expectStatus(await client.post('/quotes', quoteBody(account.id, eur.id)), 201);
  });

  it("is the operator's where the platform's is larger", async () => {
    const variables = { DAYBOOK_DAILY_VOLUME_LIMITS: 'USD=2000,EUR=1' };
    const client = await limited({ dailyVolumeLimit: 5_000 }, variables);
    const { account, usd } = await partiesOf(client);
    expectStatus(await transferOut(client, account.id, usd.id, 2_000), 201);
    const problem = expectProblem(await transferOut(client, account.id, usd.id, 1), ...daily);
    expect(problem.details.limit).toBe(2_000);
  });
});

describe('an agent', () => {
  const both: readonly (readonly [string, (one: Json, amount: number) => Promise<Answer>])[] = [
    ['a transfer out', (one, amount) => payOut(one as never, amount)],
    [
      'a quote',
      async (one, amount) =>
        executeAs(one as never, await newQuoteAs(one as never, { lockedCurrencyAmount: amount })),
    ],
  ];

  it.each(both)('is held to the same limits: %s', async (_what, pay) => {
    const client = await limited({ dailyVolumeLimit: 1_000 });
    const one = await staffed(client);
    expect(expectStatus(await pay(one, 1_000), _what === 'a quote' ? 200 : 201).status).toBe('APPROVED');
    expectProblem(await pay(one, 1_000), ...daily);
    expect(await actionsOf(one)).toBe(1);
  });

  it('is told of them in full where many of its payments come at once', async () => {
    const client = await limited({ dailyVolumeLimit: 3_000 });
    const one = await staffed(client);
    const answers = await together(8, () => payOut(one, 1_000));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    const counted = { currency: 'USD', limit: 3_000, used: 3_000, amount: 1_000 };
    for (const answer of refused)
      expect(expectProblem(answer, ...daily).details).toEqual({ ...counted, resetsAt: expect.any(String) });
  });

  it('is held to them when its action is approved', async () => {
    const client = await limited({ dailyVolumeLimit: 1_000 });
    const one = await staffed(client, approvalRequired);
    const actions = [await payOut(one, 1_000), await payOut(one, 1_000)].map((answer) =>
      expectStatus(answer, 201),
    );
    const statuses = [];
    for (const { id } of actions) {
      const answer = await client.post(`/agents/${one.agent.id}/actions/${id}/approve`);
      statuses.push(expectStatus(answer, 200).status);
    }
    expect(statuses).toEqual(['APPROVED', 'FAILED']);
  });
});
