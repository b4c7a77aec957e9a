import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlatformTimes } from '../../src/infrastructure/clock/platform-times.ts';
import type { JobQueue } from '../../src/infrastructure/jobs/queues.ts';
import type { Statement, WorkSession } from '../../src/infrastructure/jobs/work-session.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { createSealer } from '../../src/infrastructure/secrets/sealing.ts';
import { createLooks, type LookJob } from '../../src/workers/looks.ts';
import { createDelivery } from '../../src/workers/webhooks/delivery.ts';
import { createWebhookKeys } from '../../src/workers/webhooks/keys.ts';
import { createClaims } from '../../src/workers/webhooks/lanes/claims.ts';
import { createSteps } from '../../src/workers/webhooks/steps.ts';
import { createDeliveryStore } from '../../src/workers/webhooks/store.ts';
import { countStatements } from '../support/postgres/counted.ts';
import { addWebhookEvents, countEvents } from '../support/postgres/outbox.ts';
import { startTestService, type TestService, testMasterKey } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';

const many = 1_000;
const statementsMax = 400;
const jobsMax = 100;
const now = () => new Date();
const log = createLog('silent');

let service: TestService;
let status: number;
let statements = 0;
const jobs: string[] = [];

/** Of the statements of deliveries. */
function countingPool(url: string) {
  const pool = createPool({ url, max: 4, name: 'counted' });
  countStatements(pool, () => {
    statements++;
  });
  return pool;
}

const queue: JobQueue<LookJob> = {
  async add(id) {
    jobs.push(id);
  },
  work: () => undefined,
  empty: async () => undefined,
  close: async () => undefined,
};

/** Deliveries to a receiver that answers at once, which is no more than a function. */
async function withDelivery(work: (look: () => Promise<number>) => Promise<void>): Promise<void> {
  const { databaseUrl } = service;
  const pool = countingPool(databaseUrl);
  const sealer = createSealer({ current: testMasterKey });
  const session: Pick<WorkSession, 'claim'> = {
    claim: async <Row extends object>({ name, text, values }: Statement) =>
      (await pool.query<Row>({ name, text, values: [...values(0)] })).rows,
  };
  const delivery = createDelivery({
    kind: 'notices',
    claims: createClaims(session, pool),
    store: createDeliveryStore(pool),
    keys: createWebhookKeys({ pool, sealer, now, overlapMs: 0 }),
    sender: { send: async () => ({ status, latencyMs: 1 }), close: () => undefined },
    answered: async () => undefined,
    disable: async () => undefined,
    lookAt: createLooks({ queue, look: async () => undefined, looksMax: 1, now, log }).lookAt,
    attempted: () => undefined,
    log,
    now,
    times: createPlatformTimes({ now }),
    beside: undefined,
  });
  await work(delivery.look);
  await delivery.stop();
  await pool.end();
}

beforeAll(async () => {
  service = await startTestService({ variables: { DAYBOOK_ROLES: 'api,projector' } });
  expectStatus(await service.client.patch('/config', { webhookEndpoint: 'http://127.0.0.1:9/' }), 200);
});
afterAll(() => service.stop());

describe('1,000 deliveries', () => {
  it('take fewer statements than deliveries, and no jobs', async () => {
    status = 200;
    await addWebhookEvents(service, many, 4);
    statements = 0;
    await withDelivery(async (look) => {
      await look();
      await eventually(
        () => countEvents(service, 'DELIVERED'),
        (delivered) => delivered === many,
      );
    });
    expect(statements).toBeLessThan(statementsMax);
    expect(jobs).toEqual([]);
  });

  it('that fail have a job for each moment at which some are due again', async () => {
    status = 500;
    await addWebhookEvents(service, many);
    await withDelivery(async (look) => {
      await look();
      await eventually(
        () => countEvents(service, 'PENDING', 1),
        (failed) => failed === many,
      );
    });
    expect(jobs.length).toBeGreaterThan(0);
    expect(new Set(jobs).size).toBe(jobs.length);
    expect(jobs.length).toBeLessThan(jobsMax);
  });
});

it('a look for what is to be cancelled or sent again takes one statement where there is nothing', async () => {
  const pool = countingPool(service.databaseUrl);
  const steps = createSteps(pool, now, createPlatformTimes({ now }));
  await steps.run();
  statements = 0;
  await steps.run();
  await pool.end();
  expect(statements).toBe(1);
});
