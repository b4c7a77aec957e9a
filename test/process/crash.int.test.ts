import { randomInt } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, type Json } from '../support/http/client.ts';
import { atMost } from '../support/http/concurrency.ts';
import { allTransactions, contradictions, expectedBalance } from '../support/log/audit.ts';
import { embeddedUrl, unfinished } from '../support/postgres/embedded-books.ts';
import { type Daybook, removeDirectory, spawnDaybook } from '../support/processes/process.ts';
import { newCredentials } from '../support/processes/service.ts';
import { eventually, expectStatus, payoutParties } from '../support/resources/flows.ts';
import { manyLivesMs } from '../support/time/patience.ts';
import { type Burst, createBurst, type Party } from '../support/traffic/burst.ts';
import { givenSeed } from '../support/values/property.ts';
import { seededRandom } from '../support/values/random.ts';

const seed = givenSeed ?? randomInt(1_000_000);
const random = seededRandom(seed);
const kills = 10;
/** Where the machine has much else to do, a burst is short. */
const killsMax = 30;
const answeredMin = 10;
const credentials = newCredentials();
const variables = {
  DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
  DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
  DAYBOOK_SANDBOX_TIME_SCALE: '0.05',
};

const say = (text: string) => process.stdout.write(`crash test: ${text}\n`);

let cwd: string;
let daybook: Daybook;
let client: Client;
let parties: readonly [Party, ...Party[]];
let burst: Burst;
let transactions: readonly Json[];

async function start(): Promise<void> {
  daybook = spawnDaybook({ cwd, variables });
  client = obedient(clientOf(await daybook.ready, credentials));
}

/** Where the machine has much else to do, it is told when to come again. */
const obedient = (to: Client): Client => ({
  ...to,
  post: async (...asked) => {
    const answer = await to.post(...asked);
    if (answer.status === 503) await sleep(Number(answer.headers.get('retry-after')) * 1_000);
    return answer;
  },
});

async function openParty(): Promise<Party> {
  const { account, payee } = await payoutParties(client, 100_000_000);
  return { accountId: account.id, payeeId: payee.id };
}

/** Kills the process in the middle of the burst; every third time also while it starts again. */
async function crash(turn: number): Promise<void> {
  const sending = burst.run(client);
  await sleep(random.between(20, 900));
  daybook.kill('SIGKILL');
  await Promise.all([sending, daybook.exited]);
  if (turn % 3 === 2) {
    const starting = spawnDaybook({ cwd, variables });
    await sleep(random.between(300, 1_500));
    starting.kill('SIGKILL');
    await starting.exited;
  }
  await start();
  await burst.retry(client);
}

const isOpen = (executed: ReadonlySet<string>) => (transaction: Json) =>
  transaction.status === 'PROCESSING' ||
  (transaction.status === 'PENDING' && executed.has(transaction.quoteId));

/** Waits until all that was executed has ended, also by requests that nobody was answered and nobody sent again. */
async function untilSettled(): Promise<readonly Json[]> {
  const executions = burst.sent.filter(({ kind, answer }) => kind === 'execute' && answer);
  const open = isOpen(new Set(executions.map(({ mark }) => mark)));
  const url = await embeddedUrl(join(cwd, '.daybook'));
  const { all } = await eventually(
    async () => ({ left: await unfinished(url), all: await allTransactions(client) }),
    (seen) => seen.left.unprojected === 0 && !seen.all.some(open),
  );
  return all;
}

beforeAll(async () => {
  say(`SEED=${seed}`);
  cwd = await mkdtemp(join(tmpdir(), 'daybook-process-'));
  await start();
  parties = [await openParty(), await openParty(), await openParty()];
  burst = createBurst(parties, random);
  for (let turn = 0; turn < kills || (wasIdle() && turn < killsMax); turn++) await crash(turn);
  const restarted = performance.now();
  transactions = await untilSettled();
  say(`all settled ${Math.round(performance.now() - restarted)} ms after the last start`);
}, manyLivesMs);
afterAll(async () => {
  daybook.kill('SIGTERM');
  await daybook.exited;
  await removeDirectory(cwd);
});

const answered = (kind: string) => burst.sent.filter((one) => one.kind === kind && one.answer);
const countsOfAnswered = () => ['fund', 'quote', 'execute'].map((kind) => answered(kind).length);
const wasIdle = () => Math.min(...countsOfAnswered()) <= answeredMin;
const balanceOf = async (accountId: string): Promise<number> => {
  const { data } = expectStatus(await client.get('/customers/internal-accounts', { limit: '100' }), 200);
  return data.find(({ id }: Json) => id === accountId).balance.amount;
};

describe(`a service that was killed ${kills} times or more in a burst of requests (SEED=${seed})`, () => {
  it('was busy enough for the kills to matter', () => {
    const counts = countsOfAnswered();
    const unanswered = burst.sent.filter(({ answer }) => !answer).length;
    process.stdout.write(
      `crash test: answered ${counts}, unanswered ${unanswered} of ${burst.sent.length}\n`,
    );
    expect(Math.min(...counts)).toBeGreaterThan(answeredMin);
    expect(unanswered).toBeGreaterThan(0);
  });

  it('refused and failed no request', () => {
    const wrong = burst.sent.filter(({ answer }) => answer && ![200, 201].includes(answer.status));
    expect(wrong).toEqual([]);
  });

  it('did everything it answered exactly once, and everything else at most once', () => {
    expect(contradictions(burst.sent, transactions)).toEqual([]);
  });

  it('shows every quote that it answered', async () => {
    const ids: string[] = answered('quote').map(({ answer }) => answer?.body.id);
    const found = await atMost(20, ids, async (id) => (await client.get(`/quotes/${id}`)).status);
    expect(found.filter((status) => status !== 200)).toEqual([]);
  });

  it('completed every execution that it answered', () => {
    const statusOf = new Map(transactions.map(({ quoteId, status }) => [quoteId, status]));
    const unfinished = answered('execute').filter(({ mark }) => statusOf.get(mark) !== 'COMPLETED');
    expect(unfinished).toEqual([]);
  });

  it('answers a keyed request again as it did the first time', async () => {
    const keyed = burst.sent.filter(({ key, kind }) => key && kind !== 'fund');
    const again = [];
    for (const { path, body, key = '' } of keyed) {
      const answer = await eventually(
        () => client.post(path, body, { 'idempotency-key': key }),
        ({ status }) => status !== 503,
      );
      again.push(answer.body.id);
    }
    expect(again).toEqual(keyed.map(({ answer }) => answer?.body.id));
    expect((await allTransactions(client)).length).toBe(transactions.length);
  });

  it('holds on each account what came in less what went out', async () => {
    for (const { accountId } of parties)
      expect(await balanceOf(accountId)).toBe(expectedBalance(transactions, accountId));
  });

  it('has books that balance, with nothing in flight', async () => {
    const { data } = expectStatus(await client.get('/platform/trial-balance'), 200);
    expect(data.length).toBeGreaterThan(0);
    expect(data.flatMap(({ total, inFlight }: Json) => [total, inFlight])).toEqual(
      Array(data.length * 2).fill(0),
    );
  });
});
