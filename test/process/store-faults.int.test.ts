/** An EventStoreDB that is frozen, or killed, while requests come without a pause. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, clientOf, type Json } from '../support/http/client.ts';
import { allTransactions, effectsOf, expectedBalance } from '../support/log/audit.ts';
import { createDatabase } from '../support/postgres/database.ts';
import { spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';
import { newCredentials } from '../support/processes/service.ts';
import { eventually, expectStatus, payoutParties } from '../support/resources/flows.ts';
import { serverLog } from '../support/servers/eventstoredb-server/log.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { lineTo } from '../support/servers/line.ts';
import { createBurst } from '../support/traffic/burst.ts';
import { givenSeed } from '../support/values/property.ts';
import { seededRandom } from '../support/values/random.ts';

const seed = givenSeed ?? randomInt(1_000_000);
const deadlineSeconds = 6;
/** Of a machine that is busy with other things: an answer that is late by more than this did not come by its deadline. */
const marginMs = 20_000;

/** A process on an EventStoreDB that can be frozen and killed; its restart has the same log. */
async function started(how: string) {
  const data = serverLog();
  let server = await startEventStoreDb({ log: data });
  const line = await lineTo(server.url);
  const credentials = newCredentials();
  const cwd = await temporaryDirectory();
  const daybook = spawnDaybook({
    cwd,
    variables: {
      DATABASE_URL: await createDatabase(),
      // A server that is gone is noticed at once, where no line lies in between.
      EVENTSTORE_URL: how === 'frozen' ? line.url : server.url,
      DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
      DAYBOOK_SANDBOX_TIME_SCALE: '0.05',
      DAYBOOK_REQUEST_DEADLINE_SECONDS: String(deadlineSeconds),
    },
  });
  const client = clientOf(await daybook.ready, credentials);
  onTestFinished(async () => {
    line.thaw();
    daybook.kill('SIGTERM');
    await daybook.exited;
    await server.close();
  });
  const restart = async () => {
    await server.close();
    await sleep(500);
    server = await startEventStoreDb({ log: data, port: server.port });
  };
  return { client, line, restart };
}

/** Measures each answer, and takes a refusal that passes by itself for no answer: its sender asks again. */
function asSender(
  client: Client,
  slowest: { ms: number },
  statuses: Set<number>,
  isOver: () => boolean,
): Client {
  const post: Client['post'] = async (...asked) => {
    if (isOver()) throw new Error('it is over');
    const began = performance.now();
    const answer = await client.post(...asked);
    slowest.ms = Math.max(slowest.ms, performance.now() - began);
    statuses.add(answer.status);
    return answer;
  };
  return { ...client, post };
}

const faults = {
  async frozen({ line }: Awaited<ReturnType<typeof started>>) {
    line.freeze();
    await sleep(9_000);
    line.thaw();
  },
  async killed({ restart }: Awaited<ReturnType<typeof started>>) {
    await restart();
    await sleep(2_000);
    await restart();
  },
};

describe.each(Object.entries(faults))(
  `an EventStoreDB that is %s under load (SEED=${seed})`,
  (how, fault) => {
    it('leaves every request answered by its deadline, and nothing lost or doubled', async () => {
      const stage = await started(how);
      const { client } = stage;
      const { account, payee } = await payoutParties(client, 100_000_000);
      const party = { accountId: account.id, payeeId: payee.id };
      const burst = createBurst([party], seededRandom(seed));
      const slowest = { ms: 0 };
      const statuses = new Set<number>();
      let isOver = false;
      const running = burst.run(asSender(client, slowest, statuses, () => isOver));
      await sleep(1_500);
      await fault(stage);
      await sleep(1_500);
      isOver = true;
      await running;
      expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
      expect(slowest.ms).toBeLessThan(deadlineSeconds * 1_000 + marginMs);

      // What was 503 is sent again, with its key, until it is done.
      const refused = burst.sent.filter(({ answer }) => answer?.status === 503);
      for (const request of refused.filter(({ key }) => key)) {
        const { path, body, key = '' } = request;
        request.answer = await eventually(
          () => client.post(path, body, { 'idempotency-key': key }),
          ({ status }) => status === 200 || status === 201,
        );
      }
      const done = await eventually(
        () => allTransactions(client),
        (all) => !all.some(({ status }) => status === 'PROCESSING'),
      );
      const wrong = burst.sent.filter((request) => {
        const isDone = request.answer && request.answer.status < 300;
        const effects = effectsOf(request, done);
        return isDone ? effects !== 1 : effects > 1;
      });
      expect(wrong).toEqual([]);
      const { data } = expectStatus(await client.get('/customers/internal-accounts', { limit: '100' }), 200);
      const { balance } = data.find(({ id }: Json) => id === account.id);
      expect(balance.amount).toBe(expectedBalance(done, account.id));
      const { data: books } = expectStatus(await client.get('/platform/trial-balance'), 200);
      expect(books.flatMap(({ total }: Json) => [total])).toEqual(books.map(() => 0));
    });
  },
);
