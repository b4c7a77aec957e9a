/** What is done beside deliveries goes by the time of the platform, where that is not the installation's. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Moved } from '../../src/infrastructure/clock/platform-times.ts';
import { openWorkSession, type WorkSession } from '../../src/infrastructure/jobs/work-session.ts';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { stepOfCancellation } from '../../src/workers/webhooks/cancellations.ts';
import { giveUpOverdue } from '../../src/workers/webhooks/forget.ts';
import { createClaims } from '../../src/workers/webhooks/lanes/claims.ts';
import { createLines } from '../../src/workers/webhooks/lanes/lines.ts';
import { createTurns } from '../../src/workers/webhooks/turns.ts';
import { query } from '../support/postgres/database.ts';
import { addWebhookEvents, countEvents, platformOf } from '../support/postgres/outbox.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';

const service = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api,projector' } });
const webhookEndpoint = 'http://127.0.0.1:9/';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = new Date();
let pool: Pool;
let session: WorkSession;
/** The platform's clock, which is an hour behind. */
let behind: readonly Moved[];

beforeAll(async () => {
  pool = createPool({ url: service.databaseUrl, max: 2, name: 'own-time' });
  session = openWorkSession(service.databaseUrl);
  behind = [{ platformId: await platformOf(service), at: new Date(now.getTime() - hourMs) }];
});
afterAll(async () => {
  await session.end();
  await pool.end();
});

const setTo = async (url: string | null) =>
  void expectStatus(await service.client.patch('/config', { webhookEndpoint: url }), 200);
const change = (text: string) => query(service.databaseUrl, `update daybook.webhook_events set ${text}`);
const claim = async () => {
  const room = createLines('notices').room();
  const claimed = await createClaims(session, pool).claim('notices', new Date(), room, behind);
  return claimed.filter(({ type }) => type !== 'TEST');
};
const cancelAll = async () => {
  while (await stepOfCancellation(pool, { now: new Date(), moved: behind }));
};

beforeEach(async () => {
  await setTo(webhookEndpoint);
  await cancelAll();
  await query(service.databaseUrl, 'truncate daybook.webhook_events cascade');
});

describe('of a platform whose clock is behind', () => {
  it('the next events of objects have their turn when those before them are cancelled', async () => {
    await addWebhookEvents(service, 4, 2);
    await change('position = 0, next_attempt_at = null');
    await change(`asked_position = 9000000000 where (body::jsonb ->> 'step') = '1'`);
    await setTo(null);
    await setTo(webhookEndpoint);
    await cancelAll();
    expect(await countEvents(service, 'CANCELLED')).toBe(2);
    expect(await claim()).toHaveLength(2);
  });

  it('turns that were lost are given again', async () => {
    await addWebhookEvents(service, 6, 2);
    await change('next_attempt_at = null');
    await createTurns(pool).heal(new Date(), behind);
    expect(await claim()).toHaveLength(3);
  });

  it('what is tried for seven days is tried for seven days of that clock', async () => {
    await addWebhookEvents(service, 3);
    const later = new Date(now.getTime() + 9 * dayMs);
    expect(await giveUpOverdue(pool, later, behind)).toBe(0);
    expect(await giveUpOverdue(pool, later)).toBe(3);
  });

  it('what is given up was so by that clock', async () => {
    await addWebhookEvents(service, 1);
    await change(`retrying_since = retrying_since - interval '9 days'`);
    expect(await giveUpOverdue(pool, new Date(), behind)).toBe(1);
    const [row] = await query<{ at: Date }>(
      service.databaseUrl,
      'select updated_at as at from daybook.webhook_events',
    );
    expect(row?.at).toEqual(behind[0]?.at);
  });
});
