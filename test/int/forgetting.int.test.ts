import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idempotencyStore } from '../../src/infrastructure/http/once/idempotency.ts';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { stepMax } from '../../src/infrastructure/scheduling/steps.ts';
import { createSealer } from '../../src/infrastructure/secrets/sealing.ts';
import { idOf, systemIds } from '../../src/kernel/ids.ts';
import { forgetReturns } from '../../src/sandbox/faults/returns.ts';
import { agentCredentials } from '../../src/use-cases/agents/credentials.ts';
import { forgetMails } from '../../src/workers/mail/outbox.ts';
import { forgetWebhooks, giveUpOverdue } from '../../src/workers/webhooks/forget.ts';
import { query } from '../support/postgres/database.ts';
import { addWebhookEvents } from '../support/postgres/outbox.ts';
import { serviceOfTests, testMasterKey } from '../support/processes/service.ts';

const service = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api' } });
const dayMs = 24 * 3_600_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
let pool: Pool;
beforeAll(() => {
  pool = createPool({ url: service.databaseUrl, max: 2, name: 'forgetting' });
});
afterAll(() => pool.end());

const count = async (table: string, where = 'true'): Promise<number> => {
  const [row] = await query<{ count: number }>(
    service.databaseUrl,
    `select count(*)::int as count from daybook.${table} where ${where}`,
  );
  return row?.count ?? 0;
};

describe('webhook events', () => {
  const many = 2 * stepMax + 10;
  beforeAll(async () => {
    await addWebhookEvents(service, many);
    await query(
      service.databaseUrl,
      `update daybook.webhook_events set state = 'DELIVERED', next_attempt_at = null
       where state = 'PENDING' and n >= 5`,
    );
    await query(
      service.databaseUrl,
      `insert into daybook.webhook_attempts (event_id, n, at, url, latency_ms)
       select id, k, now(), 'http://x/', 1 from daybook.webhook_events, generate_series(1, 2) as g (k)`,
    );
  });

  it('are kept for as long as they are said to be', async () => {
    expect(await forgetWebhooks(pool, inDays(29), 30)).toBe(0);
  });

  it('are forgotten after it in several steps, with their attempts; what is pending stays', async () => {
    expect(await forgetWebhooks(pool, inDays(31), 30)).toBe(many - 5);
    expect([await count('webhook_events'), await count('webhook_attempts')]).toEqual([5, 10]);
  });

  it('that were to be tried for seven days fail a day later', async () => {
    expect(await giveUpOverdue(pool, inDays(7.9))).toBe(0);
    expect(await giveUpOverdue(pool, inDays(8.1))).toBe(5);
    expect(await count('webhook_events', `state = 'FAILED'`)).toBe(5);
  });
});

describe('webhook events of a platform whose clock stands in another year', () => {
  it.each([-400, 400])('are kept for as long as those of others: %i days from now', async (days) => {
    await query(service.databaseUrl, 'truncate daybook.webhook_events cascade');
    await addWebhookEvents(service, 1);
    await query(
      service.databaseUrl,
      `update daybook.webhook_events set state = 'DELIVERED', next_attempt_at = null,
         created_at = now() + ${days} * interval '1 day'`,
    );
    expect(await forgetWebhooks(pool, inDays(29), 30)).toBe(0);
    expect(await forgetWebhooks(pool, inDays(31), 30)).toBe(1);
  });
});

describe('device codes', () => {
  it('are known for 30 days, and their tokens for ever', async () => {
    const sealer = createSealer({ current: testMasterKey });
    const credentials = agentCredentials(pool, sealer);
    const kept = { agentId: idOf('Agent', systemIds.uuid()), platformId: idOf('Platform', systemIds.uuid()) };
    for (const [id, days] of [
      ['old', 0],
      ['new', 1],
    ] as const)
      await credentials.saveCode(`SVC-AGENT-${id}`, { id, ...kept }, inDays(days));
    await credentials.saveToken('agt_token', { id: 'token', agentId: kept.agentId }, inDays(0));
    await credentials.forgetOldCodes(inDays(29.9));
    expect(await count('agent_device_codes')).toBe(2);
    await credentials.forgetOldCodes(inDays(30.1));
    expect(await count('agent_device_codes', `id = 'new'`)).toBe(1);
    expect([await count('agent_device_codes'), await count('agent_tokens')]).toEqual([1, 1]);
  });
});

describe('payments of the sandbox that come back', () => {
  it('are known for 30 days after it by the clock of their platform', async () => {
    await query(
      service.databaseUrl,
      `insert into daybook.sandbox_returns (payment_id, platform_id, returns_at)
       select 'p' || n, 'Platform:' || n, now() from generate_series(1, 3) as n`,
    );
    const moved = [
      { platformId: 'Platform:2', at: inDays(0) },
      { platformId: 'Platform:3', at: inDays(31) },
    ];
    await forgetReturns(pool, inDays(29.9), moved);
    expect(await count('sandbox_returns')).toBe(2);
    await forgetReturns(pool, inDays(30.1), moved);
    expect(await count('sandbox_returns', `platform_id = 'Platform:2'`)).toBe(1);
    expect(await count('sandbox_returns')).toBe(1);
  });
});

describe('mails', () => {
  it('are forgotten when they are old and have expired, in several steps', async () => {
    await query(
      service.databaseUrl,
      `insert into daybook.emails (id, platform_id, environment, master_key_id, attempts, created_at, expires_at)
       select 'mail-' || n, 'Platform:1', 'sandbox', 'k', 0, now(),
         now() + case when n = 1 then interval '30 days' else interval '5 minutes' end
       from generate_series(1, ${stepMax + 10}) as n`,
    );
    expect(await forgetMails(pool, inDays(0.9), 24)).toBe(0);
    expect(await forgetMails(pool, inDays(1.1), 24)).toBe(stepMax + 9);
    expect(await count('emails')).toBe(1);
  });
});

describe('kept answers', () => {
  it('are forgotten after a day, in several steps', async () => {
    await query(service.databaseUrl, 'truncate daybook.idempotency_keys');
    await query(
      service.databaseUrl,
      `insert into daybook.idempotency_keys (scope, held_until, status, body, created_at)
       select 'key-' || n, now(), 200, '{}', now() from generate_series(1, ${stepMax + 10}) as n`,
    );
    const store = idempotencyStore({ pool, now: () => new Date() });
    await store.forgetOld(inDays(0.9));
    expect(await count('idempotency_keys')).toBe(stepMax + 10);
    await store.forgetOld(inDays(1.1));
    expect(await count('idempotency_keys')).toBe(0);
  });
});
