import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bounds } from '../../src/workers/webhooks/lanes/lines.ts';
import { query } from '../support/postgres/database.ts';
import { addWebhookEvents, arrivedAt, countEvents, platformsWith } from '../support/postgres/outbox.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { startBeside } from '../support/resources/platforms.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const many = 600;
const { limits } = bounds.notices;
const beside = { DAYBOOK_ROLES: 'worker' };

/** A service whose platform has an endpoint. */
async function startWith(receiver: Receiver, options: Parameters<typeof startTestService>[0] = {}) {
  const service = await startTestService(options);
  expectStatus(await service.client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  return service;
}

const untilDelivered = (service: TestService, count: number) =>
  eventually(
    () => countEvents(service, 'DELIVERED'),
    (delivered) => delivered === count,
  );

/** The steps of each object as they arrived. */
const stepsOf = (receiver: Receiver) =>
  [...Map.groupBy(arrivedAt(receiver), ({ object }) => object).values()].map((events) =>
    events.map(({ step }) => step),
  );

describe('many events that are due at once', () => {
  let receiver: Receiver;
  let service: TestService;
  let second: TestService;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startWith(receiver);
    second = await startTestService({ databaseUrl: service.databaseUrl, variables: beside });
    await addWebhookEvents(service, many, 6);
    await untilDelivered(service, many);
  });
  afterAll(async () => {
    await second.stop();
    await service.stop();
    await receiver.close();
  });

  it('arrive once each from two workers', () => {
    expect(new Set(arrivedAt(receiver).map(({ event }) => event)).size).toBe(many);
    expect(arrivedAt(receiver)).toHaveLength(many);
  });

  it('arrive in the order of their object', () => {
    expect(stepsOf(receiver)).toEqual(Array.from({ length: many / 6 }, () => [0, 1, 2, 3, 4, 5]));
  });

  it('are attempted once each, as the log of attempts has it', async () => {
    const [row] = await query<{ attempts: number; numbers: number }>(
      service.databaseUrl,
      `select count(*)::int as attempts, sum(a.n)::int as numbers
       from daybook.webhook_attempts a join daybook.webhook_events on id = event_id where type <> 'TEST'`,
    );
    expect(row).toEqual({ attempts: many, numbers: many });
  });
});

describe('a receiver that never answers', () => {
  it('keeps no event of another from it', async () => {
    const [silent, quick] = await Promise.all([startReceiver(), startReceiver()]);
    silent.answer(() => undefined);
    const ours = await startWith(silent);
    const theirs = await startBeside(ours);
    expectStatus(await theirs.client.patch('/config', { webhookEndpoint: quick.url }), 200);
    await addWebhookEvents(ours, many);
    await eventually(
      async () => arrivedAt(silent).length,
      (count) => count >= limits.unknown,
    );
    await addWebhookEvents(theirs, many);
    await untilDelivered(ours, many);
    expect(new Set(arrivedAt(quick).map(({ event }) => event)).size).toBe(many);
    expect(arrivedAt(silent).length).toBeLessThanOrEqual(2 * limits.unknown);
    await theirs.stop();
    await ours.stop();
    await Promise.all([silent.close(), quick.close()]);
  });
});

describe('forty receivers that never answer', () => {
  it('keep no event from one that does', async () => {
    const [silent, quick] = await Promise.all([startReceiver(), startReceiver()]);
    silent.answer(() => undefined);
    const service = await startWith(quick);
    const dead = await platformsWith(
      service,
      Array.from({ length: 40 }, () => silent.url),
    );
    await Promise.all(dead.map((platformId) => addWebhookEvents(service, 40, 1, { platformId })));
    await eventually(
      async () => arrivedAt(silent).length,
      (count) => count >= 40 * limits.unknown,
    );
    await addWebhookEvents(service, many);
    await eventually(
      async () => arrivedAt(quick).length,
      (count) => count === many,
    );
    expect(arrivedAt(silent).length).toBeLessThanOrEqual(2 * 40 * limits.unknown);
    await service.stop();
    await Promise.all([silent.close(), quick.close()]);
  });
});

describe('a worker that ends during its calls', () => {
  it('has them made by another at once, in order, whatever the time', async () => {
    const [receiver, clock] = [await startReceiver(), movableClock()];
    receiver.answer(() => undefined);
    const service = await startWith(receiver, { clock, variables: { DAYBOOK_ROLES: 'api,projector' } });
    const { databaseUrl } = service;
    const former = await startTestService({ databaseUrl, clock, variables: beside });
    await addWebhookEvents(service, 2 * limits.unknown, 2);
    await eventually(
      async () => arrivedAt(receiver).length,
      (count) => count > 0,
    );
    // It gives its calls up when it stops.
    await former.stop();
    const calls = arrivedAt(receiver).length;
    receiver.answer(200);
    const next = await startTestService({ databaseUrl, clock, variables: beside });
    await untilDelivered(service, 2 * limits.unknown);
    const again = Array.from({ length: calls }, () => [0, 0, 1]);
    const once = Array.from({ length: limits.unknown - calls }, () => [0, 1]);
    expect(stepsOf(receiver).toSorted((a, b) => b.length - a.length)).toEqual([...again, ...once]);
    await next.stop();
    await service.stop();
    await receiver.close();
  });
});

describe('a queue that has lost everything', () => {
  it('keeps no failed event from being tried again', async () => {
    const [receiver, clock] = [await startReceiver(), movableClock()];
    const service = await startWith(receiver, { clock });
    receiver.answer(500);
    await addWebhookEvents(service, 5);
    await eventually(
      async () => arrivedAt(receiver).length,
      (count) => count === 5,
    );
    await service.webhooks.empty();
    receiver.answer(200);
    clock.advance(5_000);
    await untilDelivered(service, 5);
    await service.stop();
    await receiver.close();
  });
});
