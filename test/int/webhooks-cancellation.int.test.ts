import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createReadDb } from '../../projections/database.ts';
import { appendWebhookEvents } from '../../projections/kept/webhook-events.ts';
import { openWorkSession, type WorkSession } from '../../src/infrastructure/jobs/work-session.ts';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { idOf } from '../../src/kernel/ids.ts';
import { stepOfCancellation } from '../../src/workers/webhooks/cancellations.ts';
import { createClaims } from '../../src/workers/webhooks/lanes/claims.ts';
import { createLines } from '../../src/workers/webhooks/lanes/lines.ts';
import { stepOfRedelivery } from '../../src/workers/webhooks/redeliveries.ts';
import { connect } from '../support/log/raw-log.ts';
import { query } from '../support/postgres/database.ts';
import { addWebhookEvents, countEvents, platformOf, projectedIn } from '../support/postgres/outbox.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { startReceiver } from '../support/servers/receiver.ts';

const service = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api,projector' } });
const { client } = service;
const webhookEndpoint = 'http://127.0.0.1:9/';
const usualType = 'INTERNAL_ACCOUNT.BALANCE_UPDATED';
let pool: Pool;
let session: WorkSession;

beforeAll(() => {
  pool = createPool({ url: service.databaseUrl, max: 2, name: 'cancellation' });
  session = openWorkSession(service.databaseUrl);
});
afterAll(async () => {
  await session.end();
  await pool.end();
});

const setTo = async (url: string | null) =>
  void expectStatus(await client.patch('/config', { webhookEndpoint: url }), 200);
const step = (max: number) => stepOfCancellation(pool, { now: new Date(), moved: [] }, max);
const all = async (max: number) => {
  while (await step(max));
};
const claim = async () => {
  const claimed = await createClaims(session, pool).claim(
    'notices',
    new Date(),
    createLines('notices').room(),
  );
  return claimed.filter(({ type }) => type === usualType);
};
const pending = () => countEvents(service, 'PENDING');
const cancelled = () => countEvents(service, 'CANCELLED');
const shown = async (state: string) =>
  expectStatus(await client.get('/webhooks/events', { state, type: usualType }), 200).totalCount;

beforeEach(async () => {
  await setTo(webhookEndpoint);
  await all(500);
  await query(service.databaseUrl, 'truncate daybook.webhook_events, daybook.webhook_redeliveries cascade');
});

describe('what is pending when an endpoint is switched off', () => {
  it('is not touched by the projector, and yet not sent, and shown as cancelled', async () => {
    await addWebhookEvents(service, 600, 3);
    await setTo(null);
    await setTo(webhookEndpoint);
    expect([await pending(), await cancelled()]).toEqual([600, 0]);
    expect(await claim()).toEqual([]);
    expect([await shown('PENDING'), await shown('CANCELLED')]).toEqual([0, 600]);
    const [row] = await query<{ id: string }>(
      service.databaseUrl,
      "select id from daybook.webhook_events where type <> 'TEST' limit 1",
    );
    const one = expectStatus(await client.get(`/webhooks/events/${row?.id}`), 200);
    expect([one.state, one.nextAttemptAt]).toEqual(['CANCELLED', undefined]);
  });

  it('is cancelled in steps, each no larger than it may be', async () => {
    await addWebhookEvents(service, 10, 2);
    await setTo(null);
    const after: number[] = [];
    while (await step(4)) after.push(await cancelled());
    expect(after).toEqual([4, 8, 10]);
    expect(await step(4)).toBe(false);
  });

  it('goes on being cancelled where a step was cut short', async () => {
    await addWebhookEvents(service, 6);
    await setTo(null);
    await step(2);
    const holder = await connect(service.databaseUrl);
    await holder.query('begin');
    await holder.query('select from daybook.webhook_events for update');
    const cut = step(2).catch(() => 'cut');
    await eventually(
      () =>
        query(
          service.databaseUrl,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'daybook-cancellation' and datname = current_database()
             and wait_event_type = 'Lock'`,
        ),
      ({ length }) => length === 1,
    );
    expect(await cut).toBe('cut');
    await holder.query('rollback');
    await holder.end();
    await all(2);
    expect([await pending(), await cancelled()]).toEqual([0, 6]);
  });

  it('is cancelled once by several workers', async () => {
    await addWebhookEvents(service, 40, 4);
    await setTo(null);
    await Promise.all([all(3), all(3)]);
    expect([await pending(), await cancelled()]).toEqual([0, 40]);
  });

  it('leaves their turns to those of the same objects that came afterwards', async () => {
    await addWebhookEvents(service, 6, 3);
    await setTo(null);
    await setTo(webhookEndpoint);
    await query(
      service.databaseUrl,
      `insert into daybook.webhook_events
       select (jsonb_populate_record(e, jsonb_build_object(
         'id', 'Webhook:' || gen_random_uuid(), 'position', $1::bigint, 'next_attempt_at', null))).*
       from daybook.webhook_events e where (body::jsonb ->> 'step') = '0' and type = '${usualType}'`,
      [String(await projectedIn(service))],
    );
    expect(await claim()).toEqual([]);
    await all(2);
    expect([await pending(), await cancelled()]).toEqual([2, 6]);
    expect(await claim()).toHaveLength(2);
  });

  it('is what began before, whenever it is written', async () => {
    const before = await projectedIn(service);
    await setTo(null);
    await setTo(webhookEndpoint);
    await all(10);
    const db = createReadDb(createPool({ url: service.databaseUrl, max: 1, name: 'late' }));
    onTestFinished(() => db.destroy());
    const platform_id = await platformOf(service);
    const event = { platform_id, type: usualType, object_id: 'Thing:late', n: 0, body: '{}', at: new Date() };
    const ofUuid = (n: number) => idOf('Webhook', `00000000-0000-4000-8000-00000000000${n}`);
    const [late, next] = [before, await projectedIn(service)];
    await db.transaction().execute((open) =>
      appendWebhookEvents(
        [
          { ...event, id: ofUuid(1), position: late },
          { ...event, id: ofUuid(2), position: next },
        ],
        open,
      ),
    );
    expect([await cancelled(), await pending()]).toEqual([1, 1]);
    expect((await claim()).map(({ id }) => id)).toEqual([ofUuid(2)]);
  });
});

describe('what is asked for again after the endpoint is back', () => {
  it('is sent, though its cancelling was still under way', async () => {
    await addWebhookEvents(service, 4);
    const [row] = await query<{ id: string }>(
      service.databaseUrl,
      "select id from daybook.webhook_events where type <> 'TEST' limit 1",
    );
    await setTo(null);
    await setTo(webhookEndpoint);
    expectStatus(await client.post(`/webhooks/events/${row?.id}/redeliver`), 202);
    // It is due by the clock of the service, which may be a moment ahead.
    await eventually(claim, (claimed) => claimed.some(({ id }) => id === row?.id));
    await all(2);
    expect([await pending(), await cancelled()]).toEqual([1, 3]);
  });

  it('as a period has what is being cancelled in it, afterwards', async () => {
    await addWebhookEvents(service, 6, 2);
    await setTo(null);
    await setTo(webhookEndpoint);
    const asked = await client.post('/webhooks/redeliver', {
      since: '2020-01-01T00:00:00.000Z',
      types: [usualType],
    });
    expect(expectStatus(asked, 202)).toEqual({ count: 6 });
    expect(await stepOfRedelivery(pool, () => new Date())).toBe(false);
    await all(3);
    while (await stepOfRedelivery(pool, () => new Date(), 3));
    expect([await pending(), await cancelled()]).toEqual([6, 0]);
    expect(await claim()).toHaveLength(3);
  });

  it('is cancelled by the next time that it is switched off', async () => {
    await addWebhookEvents(service, 2);
    await setTo(null);
    await setTo(webhookEndpoint);
    await all(5);
    const asked = await client.post('/webhooks/redeliver', {
      since: '2020-01-01T00:00:00.000Z',
      types: [usualType],
    });
    expectStatus(asked, 202);
    while (await stepOfRedelivery(pool, () => new Date()));
    expect(await pending()).toBe(2);
    await setTo(null);
    await all(5);
    expect([await pending(), await cancelled()]).toEqual([0, 2]);
  });
});

describe('a worker', () => {
  it('cancels it when it hears of it', async () => {
    const receiver = await startReceiver();
    const worker = await startTestService({
      databaseUrl: service.databaseUrl,
      variables: { DAYBOOK_ROLES: 'worker' },
    });
    onTestFinished(async () => {
      await worker.stop();
      await receiver.close();
    });
    await setTo(receiver.url);
    receiver.answer(500);
    await addWebhookEvents(service, 1_200, 3);
    await setTo(null);
    await eventually(
      async () => [await pending(), await cancelled()],
      ([left, done]) => left === 0 && done === 1_200,
    );
  });
});
