import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { askForRedelivery, stepOfRedelivery } from '../../src/workers/webhooks/redeliveries.ts';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { connect } from '../support/log/raw-log.ts';
import { query } from '../support/postgres/database.ts';
import {
  addWebhookEvents,
  arrivedAt,
  countEvents,
  platformOf,
  platformsWith,
} from '../support/postgres/outbox.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';

const withoutWorker = { DAYBOOK_ROLES: 'api,projector' };
const service = serviceOfTests({ variables: withoutWorker });
const { client } = service;
const always = { since: '2020-01-01T00:00:00.000Z' };
let receiver: Receiver;
let pool: Pool;

beforeAll(async () => {
  receiver = await startReceiver();
  pool = createPool({ url: service.databaseUrl, max: 2, name: 'redelivery' });
});
afterAll(async () => {
  await pool.end();
  await receiver.close();
});

/** So many events that have come to their end, on so many objects each, and nothing of former tests. */
async function ended(count: number, perObject = 1): Promise<void> {
  await query(service.databaseUrl, 'truncate daybook.webhook_events, daybook.webhook_redeliveries cascade');
  await addWebhookEvents(service, count, perObject);
  await query(
    service.databaseUrl,
    `update daybook.webhook_events set state = 'DELIVERED', next_attempt_at = null, delivered_at = created_at`,
  );
}
const askAgain = (body: object = always) => client.post('/webhooks/redeliver', body);
const step = (max: number) => stepOfRedelivery(pool, () => new Date(), max);
const open = async () =>
  (await query(service.databaseUrl, 'select from daybook.webhook_redeliveries')).length;
const beside = () =>
  startTestService({ databaseUrl: service.databaseUrl, variables: { DAYBOOK_ROLES: 'worker' } });

beforeEach(async () => {
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  await eventually(
    () => query(service.databaseUrl, 'select from daybook.webhook_endpoints where url is not null'),
    ({ length }) => length === 1,
  );
});

describe('sending a period again', () => {
  it('is answered while nothing of it can be done yet', async () => {
    await ended(50);
    const holder = await connect(service.databaseUrl);
    await holder.query('begin');
    onTestFinished(async () => void (await holder.query('rollback')));
    await holder.query('select from daybook.webhook_events for update');
    expect(expectStatus(await askAgain(), 202)).toEqual({ count: 50 });
    expect(await countEvents(service, 'PENDING')).toBe(0);
  });

  it('goes on in steps, each no larger than it may be', async () => {
    await ended(10);
    expectStatus(await askAgain(), 202);
    const after: number[] = [];
    while (await step(4)) after.push(await countEvents(service, 'PENDING'));
    expect(after).toEqual([4, 8, 10]);
    expect(await open()).toBe(0);
  });

  it('parts none of those that a former version has given one place', async () => {
    await ended(6);
    await query(service.databaseUrl, 'update daybook.webhook_events set n = n / 2');
    expect(expectStatus(await askAgain(), 202)).toEqual({ count: 6 });
    const after: number[] = [];
    while (await step(3)) after.push(await countEvents(service, 'PENDING'));
    expect(after).toEqual([4, 6]);
    const told: string[] = [];
    for (let place = '0.0'; place; ) {
      const answer = await client.get('/sandbox/webhooks', { after: place, limit: '1' });
      const { data } = expectStatus(answer, 200);
      told.push(...data.map(({ id }: Json) => id));
      place = data.at(-1)?.place;
    }
    expect(told.length).toBe(6);
  });

  it('goes on where a step was cut short', async () => {
    await ended(6);
    expectStatus(await askAgain(), 202);
    await step(2);
    const [session] = await query<{ pid: number }>(
      service.databaseUrl,
      `select pid from pg_stat_activity
       where application_name = 'daybook-redelivery' and datname = current_database()`,
    );
    const holder = await connect(service.databaseUrl);
    await holder.query('begin');
    await holder.query('select from daybook.webhook_events for update');
    const cut = step(2).catch(() => 'cut');
    await query(service.databaseUrl, 'select pg_terminate_backend($1)', [session?.pid]);
    expect(await cut).toBe('cut');
    await holder.query('rollback');
    while (await step(2));
    expect(await countEvents(service, 'PENDING')).toBe(6);
  });

  it('is done by the worker, each event once and in the order of its object', async () => {
    await ended(1_200, 3);
    expect(expectStatus(await askAgain(), 202)).toEqual({ count: 1_200 });
    const worker = await beside();
    onTestFinished(worker.stop);
    const arrived = await eventually(
      async () => arrivedAt(receiver),
      ({ length }) => length >= 1_200,
    );
    expect(new Set(arrived.map(({ event }) => event)).size).toBe(1_200);
    const steps = [...Map.groupBy(arrived, ({ object }) => object).values()];
    expect(steps.map((of) => of.map((one) => one.step))).toEqual(steps.map(() => [0, 1, 2]));
  });

  it('ends with the endpoint', async () => {
    await ended(4);
    expectStatus(await askAgain(), 202);
    const platform = await platformOf(service);
    const setTo = (url: string | null) =>
      query(service.databaseUrl, 'update daybook.webhook_endpoints set url = $1 where platform_id = $2', [
        url,
        platform,
      ]);
    await setTo(null);
    await step(2);
    await setTo(receiver.url);
    expect([await open(), await countEvents(service, 'PENDING')]).toEqual([0, 0]);
  });

  it('is refused while too many are under way', async () => {
    await ended(1);
    for (let n = 0; n < 10; n++) expectStatus(await askAgain(), 202);
    const refused = await askAgain();
    expectProblem(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('is not refused for those that another platform has under way', async () => {
    await ended(1);
    const [other] = await platformsWith(service, [receiver.url]);
    if (!other) throw new Error('no other platform');
    onTestFinished(
      async () => void (await pool.query('delete from webhook_endpoints where platform_id = $1', [other])),
    );
    const period = { since: new Date(0), until: new Date() };
    for (let n = 0; n < 10; n++) await askForRedelivery(pool, other, period, new Date());
    expect(expectStatus(await askAgain(), 202)).toEqual({ count: 1 });
  });

  it('of nothing leaves nothing to do', async () => {
    await ended(1);
    expect(expectStatus(await askAgain({ since: '2100-01-01T00:00:00.000Z' }), 202)).toEqual({ count: 0 });
    expect(await open()).toBe(0);
  });
});
