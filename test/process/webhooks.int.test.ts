import { mkdtemp, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, type Json } from '../support/http/client.ts';
import { type Daybook, removeDirectory, spawnDaybook } from '../support/processes/process.ts';
import { newCredentials } from '../support/processes/service.ts';
import { accountOf, createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { givenSeed } from '../support/values/property.ts';
import { seededRandom } from '../support/values/random.ts';

const random = seededRandom(givenSeed ?? 17);
const credentials = newCredentials();
const variables = {
  DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
  DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
};
const accountsCount = 12;

type Call = {
  readonly id: string;
  readonly objectId: string;
  readonly answered: boolean;
  readonly balance?: number;
};
const calls: Call[] = [];
/** What the service has answered: the balances of each account, in order. */
const balances = new Map<string, number[]>();

let cwd: string;
let daybook: Daybook;
let client: Client;
let receiver: Receiver;
let events: readonly Json[];
let healthy = false;

/** Answers most calls, some late; fails some, and hangs up on others after having read them. */
function moody({ body }: { body: Json }, response: ServerResponse): void {
  const mood = healthy ? 9 : random.between(0, 9);
  const { id, data } = body;
  calls.push({ id, objectId: data.id, answered: mood > 1, balance: data.balance?.amount });
  if (mood === 0) response.destroy();
  else if (mood === 1) response.writeHead(500).end();
  else setTimeout(() => response.end(), mood === 2 ? 300 : 0);
}

async function openReceiver(inPlaceOf?: Receiver): Promise<void> {
  receiver = await startReceiver(inPlaceOf);
  receiver.answer(moody);
}

async function start(): Promise<void> {
  daybook = spawnDaybook({ cwd, variables });
  client = clientOf(await daybook.ready, credentials);
}

/** Funds accounts until the connection fails. */
async function fundUntilKilled(): Promise<void> {
  const fundOne = async (accountId: string) => {
    for (;;) {
      const path = `/sandbox/internal-accounts/${accountId}/fund`;
      const answer = await client.post(path, { amount: 100 }).catch(() => undefined);
      if (!answer) return;
      // A busy machine refuses some for the moment.
      if (answer.status !== 503) balances.get(accountId)?.push(expectStatus(answer, 200).balance.amount);
      await sleep(random.between(50, 150));
    }
  };
  await Promise.all([...balances.keys()].map(fundOne));
}

const shownCount = () => [...balances.values()].flat().length;
const failedCount = () => calls.filter(({ answered }) => !answered).length;

/** Kills the service while it is busy, and not before there was enough of it: 50 deposits, and some calls that failed. */
async function crash(afterMs: number): Promise<void> {
  const [shown, failed] = [shownCount(), failedCount()];
  const funding = fundUntilKilled();
  await sleep(afterMs);
  await eventually(
    async () => [shownCount() - shown, failedCount() - failed],
    ([deposits = 0, failures = 0]) => deposits >= 50 && failures > 2,
  );
  daybook.kill('SIGKILL');
  await Promise.all([funding, daybook.exited]);
  await start();
}

async function allEvents(): Promise<readonly Json[]> {
  const found: Json[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = expectStatus(
      await client.get('/webhooks/events', { limit: '100', ...(cursor && { cursor }) }),
      200,
    );
    found.push(...page.data);
    cursor = page.nextCursor;
    if (!cursor) return found;
  }
}

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'daybook-webhooks-'));
  await openReceiver();
  await start();
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  for (let n = 0; n < accountsCount; n++) {
    const account = await accountOf(client, (await createCustomer(client)).id);
    balances.set(account.id, []);
  }
  await crash(1_500);
  await receiver.close();
  const crashing = crash(2_000);
  await sleep(700);
  await openReceiver(receiver);
  await crashing;
  healthy = true;
  await eventually(
    async () => (await client.get('/webhooks/events', { state: 'PENDING' })).body.totalCount,
    (count) => count === 0,
  );
  events = await allEvents();
  process.stdout.write(`webhook crash test: ${events.length} events, ${calls.length} calls\n`);
});

afterAll(async () => {
  daybook.kill('SIGTERM');
  await daybook.exited;
  await receiver.close();
  await removeDirectory(cwd);
});

describe('a moody receiver, over two kills of the service', () => {
  it('knows a service whose master key only its owner may read', async () => {
    const { mode } = await stat(join(cwd, '.daybook/master-key'));
    expect(mode & 0o777).toBe(0o600);
    expect(daybook.stdout() + daybook.stderr()).not.toContain('master');
  });

  it('has answered every event', () => {
    const answered = new Set(calls.filter((call) => call.answered).map(({ id }) => id));
    const sent = events.filter(({ type }) => type !== 'TEST');
    expect(sent.filter(({ id, state }) => state !== 'DELIVERED' || !answered.has(id))).toEqual([]);
  });

  it('knows every balance that a client was shown', () => {
    for (const [accountId, shown] of balances) {
      const told = new Set(
        calls.filter(({ objectId }) => objectId === accountId).map(({ balance }) => balance),
      );
      expect(shown.filter((balance) => !told.has(balance))).toEqual([]);
    }
  });

  it('has heard of each account in order, and never of a change before it had answered the one before', () => {
    for (const accountId of balances.keys()) {
      const own = calls.filter(({ objectId }) => objectId === accountId);
      const told = own.map(({ balance = 0 }) => balance);
      expect(told).toEqual(told.toSorted((a, b) => a - b));
      const skipped = own.filter(({ id, answered }, n) => !answered && own[n + 1] && own[n + 1]?.id !== id);
      expect(skipped).toEqual([]);
    }
  });
});
