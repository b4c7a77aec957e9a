import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openWorkSession, type WorkSession } from '../../src/infrastructure/jobs/work-session.ts';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { type Claimed, createClaims } from '../../src/workers/webhooks/lanes/claims.ts';
import type { Room } from '../../src/workers/webhooks/lanes/lines.ts';
import { type Attempt, createDeliveryStore } from '../../src/workers/webhooks/store.ts';
import { createTurns } from '../../src/workers/webhooks/turns.ts';
import { query } from '../support/postgres/database.ts';
import { addWebhookEvents, countEvents } from '../support/postgres/outbox.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';

const service = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api,projector' } });
const room = (calls: number, busy: Room['busy'] = new Map()): Room => ({
  prompt: calls,
  others: calls,
  busy,
});
const pools: Pool[] = [];
const sessions: WorkSession[] = [];

/** The store as a process of its own has it. */
function openStore() {
  const pool = createPool({ url: service.databaseUrl, max: 2, name: 'claims' });
  const session = openWorkSession(service.databaseUrl);
  pools.push(pool);
  sessions.push(session);
  const claims = createClaims(session, pool);
  const claim = (now: Date, among: Room) => claims.claim('notices', now, among);
  return { ...createDeliveryStore(pool), ...claims, claim, session };
}

const failed = (claimed: Claimed, nextAttemptAt: Date): Attempt => ({
  claimed,
  at: new Date(),
  outcome: { status: 500, latencyMs: 1 },
  ending: { state: 'PENDING', nextAttemptAt },
  passesTurn: false,
});
const delivered = (claimed: Claimed): Attempt => ({
  claimed,
  at: new Date(),
  outcome: { status: 200, latencyMs: 1 },
  ending: { state: 'DELIVERED' },
  passesTurn: true,
});

/** Nothing is left of former tests, and the platform has an endpoint. */
beforeEach(async () => {
  for (const webhookEndpoint of [null, 'http://127.0.0.1:9/'])
    expectStatus(await service.client.patch('/config', { webhookEndpoint }), 200);
  await eventually(
    () =>
      query<{ url: string }>(
        service.databaseUrl,
        'select url from daybook.webhook_endpoints where url is not null',
      ),
    ({ length }) => length === 1,
  );
  await query(service.databaseUrl, 'truncate daybook.webhook_events cascade');
});
afterAll(async () => {
  for (const session of sessions) await session.end();
  await Promise.all(pools.map((pool) => pool.end()));
});

describe('claims', () => {
  it('of several workers at once are on different events', async () => {
    await addWebhookEvents(service, 30);
    const claims = await Promise.all([1, 2, 3, 4].map(() => openStore().claim(new Date(), room(10))));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are on the oldest event of each object alone, and on the next when it has ended', async () => {
    await addWebhookEvents(service, 12, 3);
    const store = openStore();
    for (const step of [0, 1, 2]) {
      const now = new Date();
      const claimed = await store.claim(now, room(100));
      expect(claimed.map(({ body }) => JSON.parse(body).step)).toEqual([step, step, step, step]);
      expect(await store.claim(now, room(100))).toEqual([]);
      await store.finish(claimed.map(delivered), new Date());
    }
    expect(await countEvents(service, 'DELIVERED')).toBe(12);
  });

  it('leave a platform alone that has no room', async () => {
    await addWebhookEvents(service, 5);
    const store = openStore();
    const [first] = await store.claim(new Date(), room(1));
    const busy = new Map([[first?.platformId ?? ('' as never), { calls: 100, slow: 0 }]]);
    expect(await store.claim(new Date(), room(100, busy))).toEqual([]);
  });
});

describe('an attempt', () => {
  const later = () => new Date(Date.now() + 5_000);

  it('that is recorded twice counts once', async () => {
    await addWebhookEvents(service, 1);
    const store = openStore();
    const [claimed] = await store.claim(new Date(), room(1));
    for (const attempt of [1, 2].map(() => failed(claimed as Claimed, later())))
      await store.finish([attempt], new Date());
    expect(await countEvents(service, 'PENDING', 1)).toBe(1);
    expect(await countEvents(service, 'PENDING', 2)).toBe(0);
  });

  it('that was overtaken by another worker decides nothing, unless it was a success', async () => {
    await addWebhookEvents(service, 1);
    const [slow, quick] = [openStore(), openStore()];
    const [first] = await slow.claim(new Date(), room(1));
    const [second] = await quick.claim(new Date(Date.now() + 20_000), room(1));
    expect(second?.id).toBe(first?.id);
    await slow.finish([failed(first as Claimed, later())], new Date());
    expect(await countEvents(service, 'PENDING', 1)).toBe(0);
    await slow.finish([delivered(first as Claimed)], new Date());
    expect(await countEvents(service, 'DELIVERED')).toBe(1);
  });

  it('that was made before the event was asked for anew does not end it', async () => {
    await addWebhookEvents(service, 1);
    const store = openStore();
    const [claimed] = await store.claim(new Date(), room(1));
    await query(service.databaseUrl, "update daybook.webhook_events set state = 'CANCELLED'");
    const { id, platformId } = claimed as Claimed;
    await createTurns(pools.at(-1) as Pool).redeliver(platformId, id, later());
    await store.finish([delivered(claimed as Claimed)], new Date());
    expect(await countEvents(service, 'PENDING')).toBe(1);
  });
});
