import { randomInt } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, type Json } from '../support/http/client.ts';
import { together } from '../support/http/concurrency.ts';
import { unbalanced } from '../support/log/books.ts';
import { embeddedUrl, rowsOfQuery, unfinished, wrongRows } from '../support/postgres/embedded-books.ts';
import { type Daybook, removeDirectory, spawnDaybook } from '../support/processes/process.ts';
import { newCredentials } from '../support/processes/service.ts';
import { accountOf, createCustomer, eventually, expectStatus, fund } from '../support/resources/flows.ts';
import { createMix, type Mix, type MixedRequest, refusals } from '../support/traffic/mix.ts';
import { givenSeed } from '../support/values/property.ts';
import { seededRandom } from '../support/values/random.ts';

const seed = givenSeed ?? randomInt(1_000_000);
const operations = 2_000;
const clients = 20;
const killedAfter = [700, 1_400];
const credentials = newCredentials();
const variables = {
  DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
  DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
  DAYBOOK_SANDBOX_TIME_SCALE: '0.001',
  DAYBOOK_QUOTE_LIFETIME_SECONDS: '5',
  // A request that a kill cut short is refused once its time is over: so long its repeats wait.
  DAYBOOK_REQUEST_DEADLINE_SECONDS: '30',
};

const say = (text: string) => process.stdout.write(`mix: ${text}\n`);

let cwd: string;
let daybook: Daybook;
let client: Promise<Client>;
let mix: Mix;
let databaseUrl: string;
let refusedByPolicy: string;

const start = async (): Promise<Client> => {
  daybook = spawnDaybook({ cwd, variables });
  return clientOf(await daybook.ready, credentials);
};

/** From here on everyone waits for the next process. */
async function restart(): Promise<void> {
  const { kill, exited } = daybook;
  client = exited.then(start);
  kill('SIGKILL');
  await client;
}

async function person() {
  const by = await client;
  const { id, umaAddress } = await createCustomer(by, { currencies: ['USD', 'EUR'] });
  const [usd, eur] = [await accountOf(by, id, 'USD'), await accountOf(by, id, 'EUR')];
  for (const account of [usd, eur]) await fund(by, account.id, 200_000);
  return { id, umaAddress, usd: usd.id, eur: eur.id, pulled: [], paid: [] };
}

/** One client's share of the mix; the first to see enough requests sent kills the process. */
async function takePart(kills: number[]): Promise<void> {
  while (mix.sent.length < operations) {
    if (mix.sent.length > (kills[0] ?? Number.POSITIVE_INFINITY)) {
      kills.shift();
      await restart();
    }
    await mix.next(() => client);
  }
}

beforeAll(async () => {
  say(`SEED=${seed}`);
  cwd = await mkdtemp(join(tmpdir(), 'daybook-process-'));
  client = start();
  await client;
  mix = createMix(seededRandom(seed), await together(12, person));
  const kills = [...killedAfter];
  await together(clients, () => takePart(kills));
  databaseUrl = await embeddedUrl(join(cwd, '.daybook'));
  await eventually(
    () => unfinished(databaseUrl),
    (left) => Object.values(left).every((n) => n === 0),
  );
  refusedByPolicy = daybook.stderr();
});
afterAll(async () => {
  daybook.kill('SIGTERM');
  await daybook.exited;
  await removeDirectory(cwd);
});

const answered = (kind: string) => mix.sent.filter((one) => one.kind === kind && one.answers.length > 0);
const isExpected = ({ kind, answers }: MixedRequest): boolean =>
  answers.every(
    ({ status, body }) => status < 300 || (refusals[kind] as readonly string[]).includes(body?.code),
  );

describe(`${operations} operations of all kinds, ${clients} at once, with ${killedAfter.length} kills (SEED=${seed})`, () => {
  it('were of every kind', () => {
    const counts = Object.keys(refusals).map((kind) => [kind, answered(kind).length] as const);
    const unanswered = mix.sent.filter(({ answers }) => answers.length === 0).length;
    say(`${JSON.stringify(Object.fromEntries(counts))}, ${unanswered} unanswered`);
    expect(counts.filter(([, n]) => n === 0)).toEqual([]);
    expect(unanswered).toBeGreaterThan(0);
  });

  it('met no refusal that the mix does not explain, and no failure of the service', () => {
    const wrong = mix.sent.filter((request) => !isExpected(request));
    const shown = wrong.map(({ kind, path, body, key, answers }) => ({
      kind,
      path,
      body,
      key,
      answers: answers.map((one) => ({ status: one.status, body: one.body })),
    }));
    expect(shown).toEqual([]);
  });

  it('ended each payment in a final state', async () => {
    const rows = await rowsOfQuery(
      databaseUrl,
      'select status, count(*)::int as n from daybook.transactions group by 1 order by 1',
    );
    say(rows.map(({ status, n }) => `${status} ${n}`).join(', '));
    const statuses = rows.map(({ status }) => status);
    expect(statuses).toEqual(expect.arrayContaining(['COMPLETED', 'EXPIRED', 'FAILED', 'REJECTED']));
    expect(['CREATED', 'PENDING', 'PROCESSING'].filter((one) => statuses.includes(one))).toEqual([]);
  });

  it.each(Object.entries(wrongRows))('left no %s', async (_what, text) => {
    expect(await rowsOfQuery(databaseUrl, text)).toEqual([]);
  });

  it('left books that the interface shows balanced, with nothing in flight', async () => {
    expect(await unbalanced(await client)).toEqual([]);
    const { data } = expectStatus(await (await client).get('/platform/trial-balance'), 200);
    expect(data.filter(({ inFlight }: Json) => inFlight !== 0)).toEqual([]);
  });

  it('is answered again as it was the first time, where it had a key', async () => {
    const keyed = mix.sent.filter(({ key, answers }) => key && answers.length > 0).slice(-150);
    const again = await Promise.all(
      keyed.map(async ({ path, body, key = '' }) => {
        const answer = await eventually(
          async () => await (await client).post(path, body, { 'idempotency-key': key }),
          ({ status }) => status !== 503,
        );
        return [path, answer.status, answer.body];
      }),
    );
    expect(again).toEqual(keyed.map(({ path, answers }) => [path, answers[0]?.status, answers[0]?.body]));
  });

  it('left no error in the log of the last process', () => {
    const errors = refusedByPolicy.split('\n').filter((line) => line.includes('"level":50'));
    expect(errors).toEqual([]);
  });
});
