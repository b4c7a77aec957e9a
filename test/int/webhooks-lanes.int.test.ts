import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { freeEndedSessions, openWorkSession } from '../../src/infrastructure/jobs/work-session.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import { type Claimed, createClaims } from '../../src/workers/webhooks/lanes/claims.ts';
import { closedMaxMs, type Lane, silentAfter, unknownLane } from '../../src/workers/webhooks/lanes/lane.ts';
import { bounds, createLines, type Kind } from '../../src/workers/webhooks/lanes/lines.ts';
import { freeWebhooks } from '../../src/workers/webhooks/store.ts';
import { createTurns } from '../../src/workers/webhooks/turns.ts';
import { query } from '../support/postgres/database.ts';
import { addWebhookEvents, platformsWith } from '../support/postgres/outbox.ts';
import { serviceOfTests } from '../support/processes/service.ts';

const service = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api,projector' } });
const closers: (() => Promise<void>)[] = [];
const url = 'http://127.0.0.1:9/';
const { limits } = bounds.notices;

/** The claims as a process of its own has them. */
function openWorker() {
  const pool = createPool({ url: service.databaseUrl, max: 2, name: 'lanes' });
  const session = openWorkSession(service.databaseUrl);
  closers.push(
    () => session.end(),
    () => pool.end(),
  );
  const claims = createClaims(session, pool);
  const claim = (kind: Kind = 'notices', now = new Date()) =>
    claims.claim(kind, now, createLines(kind).room());
  return { ...claims, claim, session, pool };
}

const prompt: Lane = { ...unknownLane, pace: 'prompt' };
const silent = (closedForMs: number): Lane => ({
  ...unknownLane,
  silences: silentAfter,
  trips: 1,
  closedUntil: Date.now() + closedForMs,
});
const counts = (claimed: readonly Claimed[]): Record<PlatformId, number> =>
  Object.fromEntries(
    [...Map.groupBy(claimed, ({ platformId }) => platformId)].map(([id, own]) => [id, own.length]),
  );

beforeEach(() =>
  query(
    service.databaseUrl,
    'truncate daybook.webhook_events, daybook.webhook_attempts, daybook.webhook_lanes, daybook.webhook_endpoints',
  ),
);
afterAll(async () => {
  for (const close of closers) await close();
});

/** A platform with so many events that are due, and what is known of its endpoint. */
async function platformWith(lane: Lane | undefined, events = 100, type?: string): Promise<PlatformId> {
  const [platformId] = await platformsWith(service, [url]);
  if (!platformId) throw new Error('no platform');
  await addWebhookEvents(service, events, 1, { platformId, ...(type && { type }) });
  if (lane) await openWorker().keep([{ platformId, url, lane }]);
  return platformId;
}

describe('a turn that was taken by a process that is gone', () => {
  it('stands in nobody’s way where an older event of the object is sent again', async () => {
    const platformId = await platformWith(silent(-1_000), 0);
    await addWebhookEvents(service, 4, 2, { platformId });
    const change = (text: string) => query(service.databaseUrl, `update daybook.webhook_events set ${text}`);
    const isYounger = `(body::jsonb ->> 'step') = '1'`;
    await change(`next_attempt_at = now() - interval '1 hour', locked_until = now() where ${isYounger}`);
    const { claim, pool } = openWorker();
    // One call at a time, and what comes first may not be sent before what is older.
    expect(await claim()).toEqual([]);
    await createTurns(pool).heal(new Date());
    expect((await claim()).map(({ body }) => JSON.parse(body).step)).toEqual([0]);
  });

  it('is left to a process that is at work on it', async () => {
    const platformId = await platformWith(prompt, 0);
    await addWebhookEvents(service, 2, 2, { platformId });
    const now = new Date();
    const [older] = await openWorker().claim('notices', now);
    const { claim, pool } = openWorker();
    await query(
      service.databaseUrl,
      'update daybook.webhook_events set next_attempt_at = null where id = $1',
      [older?.id],
    );
    await createTurns(pool).heal(now);
    const rows = await query<{ has: boolean }>(
      service.databaseUrl,
      'select next_attempt_at is not null as has from daybook.webhook_events order by n',
    );
    expect(rows.map(({ has }) => has)).toEqual([false, false]);
    expect(await claim('notices', now)).toEqual([]);
  });
});

describe('an endpoint is called by what is known of it', () => {
  it.each([
    ['nothing', undefined, limits.unknown],
    ['prompt answers', prompt, limits.prompt],
    ['slow answers', { ...unknownLane, pace: 'slow' } as Lane, limits.slow],
    ['silence a while ago', silent(-1_000), limits.silent],
    ['silence just now', silent(60_000), 0],
    ['silence at a time that is to come again', silent(2 * closedMaxMs), limits.silent],
  ])('where that is %s', async (_what, lane, calls) => {
    await platformWith(lane);
    expect(await openWorker().claim()).toHaveLength(calls);
  });

  it('at one address: another one is unknown', async () => {
    const platformId = await platformWith(silent(60_000));
    await query(service.databaseUrl, 'update daybook.webhook_endpoints set url = $1', [`${url}new`]);
    expect(counts(await openWorker().claim())).toEqual({ [platformId]: limits.unknown });
  });

  it('and of one that was silent by one worker alone', async () => {
    await platformWith(silent(-1_000));
    const now = new Date();
    const claimed = await Promise.all([1, 2, 3].map(() => openWorker().claim('notices', now)));
    expect(claimed.flat().length).toBeLessThanOrEqual(1);
    expect(await openWorker().claim('notices', now)).toEqual([]);
  });
});

describe('platforms', () => {
  it('come in turn, whatever each of them has waiting', async () => {
    const many = Math.ceil(bounds.notices.othersMax / limits.unknown) + 10;
    await platformWith(undefined, 1_000);
    const ids = await platformsWith(
      service,
      Array.from({ length: many }, () => url),
    );
    for (const platformId of ids) await addWebhookEvents(service, 5, 1, { platformId });
    const claimed = counts(await openWorker().claim());
    expect(Object.keys(claimed)).toHaveLength(many + 1);
    expect(Math.max(...Object.values(claimed))).toBeLessThanOrEqual(limits.unknown);
  });

  it('that answer have room however many do not', async () => {
    const dead = await platformsWith(
      service,
      Array.from({ length: 200 }, () => url),
    );
    for (const platformId of dead) await addWebhookEvents(service, 5, 1, { platformId });
    const alive = await platformWith(prompt);
    expect(counts(await openWorker().claim())[alive]).toBe(limits.prompt);
  });
});

describe('what asks for an approval', () => {
  const type = 'INCOMING_PAYMENT.PENDING';

  it('is claimed apart from what only tells', async () => {
    const platformId = await platformWith(prompt, 1_000);
    await addWebhookEvents(service, 2, 1, { platformId, type });
    const { claim } = openWorker();
    expect((await claim('approvals')).map((one) => one.type)).toEqual([type, type]);
    expect((await claim()).some((one) => one.type === type)).toBe(false);
  });

  it('is asked of an endpoint that is silent, too', async () => {
    await platformWith(silent(60_000), 5, type);
    expect(await openWorker().claim('approvals')).toHaveLength(1);
  });
});

describe('a claim', () => {
  it('is free as soon as the session ends that it was made in', async () => {
    await platformWith(prompt, 3);
    const [former, next, now] = [openWorker(), openWorker(), new Date()];
    expect(await former.claim('notices', now)).toHaveLength(3);
    expect(await freeEndedSessions(next.pool, freeWebhooks)).toBe(0);
    expect(await next.claim('notices', now)).toEqual([]);
    await query(
      service.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity join pg_locks using (pid)
       where application_name = 'daybook-work' and datname = current_database() and locktype = 'advisory'
         and objid = (select max(claimed_by) from daybook.webhook_events)::oid`,
    );
    await expect.poll(() => freeEndedSessions(next.pool, freeWebhooks)).toBe(1);
    expect(await next.claim('notices', now)).toHaveLength(3);
  });

  it('can be made again in a new session by a process that has lost its own', async () => {
    await platformWith(prompt, 3);
    const { claim } = openWorker();
    await claim();
    await query(
      service.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'daybook-work' and datname = current_database()`,
    );
    const later = new Date(Date.now() + 20_000);
    await expect.poll(() => claim('notices', later).catch(() => [])).toHaveLength(3);
  });
});
