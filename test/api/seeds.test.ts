import { describe, expect, it } from 'vitest';
import { type Answer, clientOf, type Json } from '../support/http/client.ts';
import { type SignedIn, signIn } from '../support/http/console.ts';
import { fortyCalls, webhookBodies } from '../support/http/forty-calls.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService, testMasterKey } from '../support/processes/service.ts';
import { employed } from '../support/resources/agents.ts';
import { accountOf, expectStatus, quoteBody } from '../support/resources/flows.ts';
import { registerEur } from '../support/resources/payments.ts';
import { patienceMs } from '../support/time/patience.ts';

const variables = {
  DAYBOOK_SANDBOX_SEED: 'forty calls',
  DAYBOOK_SANDBOX_TIME_SCALE: '1',
  DAYBOOK_BOOTSTRAP_CLIENT_ID: 'the-same-each-time',
};

async function run(databaseUrl?: string, seed = variables.DAYBOOK_SANDBOX_SEED, masterKey = testMasterKey) {
  const service = await startTestService({
    ...(databaseUrl && { databaseUrl }),
    variables: { ...variables, DAYBOOK_SANDBOX_SEED: seed, DAYBOOK_MASTER_KEY: masterKey },
  });
  try {
    const told = await fortyCalls(service.client);
    return { told, webhooks: await webhookBodies(service.client), databaseUrl: service.databaseUrl };
  } finally {
    await service.stop();
  }
}

type Run = Awaited<ReturnType<typeof run>>;

/** Of the requests, and of what those without a key have made. */
const drawnIn = ({ told }: Pick<Run, 'told'>): readonly unknown[] => told.map(({ requestId }) => requestId);

/** Of what happened by the clock that stands still, by its identifier. */
async function typesOf({ databaseUrl }: Run): Promise<ReadonlyMap<string, string>> {
  const rows = await query<{ id: string; type: string }>(
    databaseUrl,
    "select id, type from daybook_log.events where metadata::jsonb ? 'platformAt'",
  );
  return new Map(rows.map(({ id, type }) => [id, type]));
}

/** The types of events that are in one run alone. */
async function differing(one: Run, other: Run): Promise<readonly string[]> {
  const [ids, others] = [await typesOf(one), await typesOf(other)];
  expect(ids.size).toBe(others.size);
  const types = [...ids].filter(([id]) => !others.has(id)).map(([, type]) => type);
  return [...new Set(types)].toSorted();
}

/** What a token and two agents are given: the second agent first and a stranger and a console between, where it is asked for. */
async function countedRun(isAmongOthers: boolean) {
  const service = await startTestService({ variables: { ...variables, DAYBOOK_MASTER_KEY: testMasterKey } });
  const { client } = service;
  const sendCustomer = ({ post }: Pick<SignedIn, 'post'>) =>
    post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Ada', currencies: ['USD'] });
  const idOf = async (asked: Promise<Answer>) => expectStatus(await asked, 201).id;
  try {
    expectStatus(await client.post('/sandbox/clock/freeze', { at: '2030-01-01T00:00:00.000Z' }), 200);
    const first = await idOf(sendCustomer(client));
    if (isAmongOthers) {
      const { clientId } = service.credentials;
      expectProblem(await sendCustomer(clientOf(service.url, { clientId, clientSecret: 'wrong' })), 401);
      await idOf(sendCustomer(await signIn(service, service.credentials)));
    }
    const customers = [first, await idOf(sendCustomer(client))];
    const agents = [await employed(client, first), await employed(client, first)];
    const quoted = new Map<string, Json>();
    const account = await accountOf(client, first);
    const payee = await registerEur(client, first);
    for (const { me, agent } of isAmongOthers ? agents.toReversed() : agents) {
      const { body } = await me.post('/agents/me/quotes', quoteBody(account.id, payee.id));
      quoted.set(agent.id, body.id);
    }
    return { customers, quoted: [...quoted].toSorted() };
  } finally {
    await service.stop();
  }
}

describe('a seed and a clock that stands still', () => {
  it(
    'give the same answers and webhooks for the same calls, byte for byte',
    async () => {
      const [first, second] = [await run(), await run()];
      expect(first.told.length).toBeGreaterThanOrEqual(40);
      const refused = first.told.filter(({ status }) => status >= 400);
      const codes = ['INVALID_INPUT', 'QUOTE_NOT_FOUND', 'INVITATION_NOT_FOUND'];
      expect(refused.map(({ body }) => body.code)).toEqual(codes);
      expect(first.webhooks.length).toBeGreaterThan(15);
      for (const [n, { status, requestId, body }] of first.told.entries())
        expect(second.told[n], `call ${n}`).toEqual({ status, requestId, body });
      expect(JSON.stringify(second.told)).toBe(JSON.stringify(first.told));
      expect(second.webhooks).toEqual(first.webhooks);
    },
    2 * patienceMs,
  );

  it(
    'give events other identifiers only where their data say what no seed decides',
    async () => {
      const [first, second] = [await run(), await run()];
      const drawn = ['PlatformClockAdvanced', 'RecoveryPhraseMade'];
      expect(await differing(first, second)).toEqual(drawn);
      const otherKey = await run(undefined, undefined, Buffer.alloc(32, 8).toString('base64'));
      expect(await differing(first, otherKey)).toEqual(['NameReserved', ...drawn]);
    },
    3 * patienceMs,
  );

  it(
    'give others with another seed, and after the next start of the same service',
    async () => {
      const first = await run();
      const other = await run(undefined, 'another seed');
      const again = await run(first.databaseUrl);
      expect(drawnIn(first).length).toBeGreaterThan(5);
      for (const { told } of [other, again]) {
        const ids = new Set(drawnIn({ told }));
        expect(drawnIn(first).filter((id) => ids.has(id))).toEqual([]);
      }
      expect(other.told[1]?.body.id).not.toBe(first.told[1]?.body.id);
    },
    2 * patienceMs,
  );

  it(
    'give a token and an agent the same, whoever else calls meanwhile',
    async () => {
      const [alone, among] = [await countedRun(false), await countedRun(true)];
      expect(among).toEqual(alone);
    },
    2 * patienceMs,
  );
});
