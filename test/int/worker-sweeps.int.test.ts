/** What a worker forgets by itself, each by a task of its own. */
import { describe, expect, it } from 'vitest';
import { basePath } from '../../src/app/interface/address.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { query } from '../support/postgres/database.ts';
import { addWebhookEvents } from '../support/postgres/outbox.ts';
import { serviceOfTests } from '../support/processes/service.ts';

const lines: string[] = [];
const service = serviceOfTests({
  everyMs: () => 50,
  log: createLog('warn', { write: (line) => void lines.push(line) }),
});

/** A row of each table that is long over: what is of the last century is old whatever is kept. */
const old = {
  'idempotency keys': [
    'idempotency_keys',
    "(scope, held_until, status, body, created_at) values ('old', now(), 200, '{}', '1999-01-01')",
  ],
  returns: [
    'sandbox_returns',
    "(payment_id, platform_id, returns_at) values ('old', 'Platform:1', '1999-01-01')",
  ],
  documents: ['document_contents', "(id, is_kept, created_at) values ('old', false, '1999-01-01')"],
  'console sessions': [
    'console_sessions',
    "(session_hash, token_id, token_mark, permissions, expires_at) values ('old', 'Token:1', '', '{}', '1999-01-01')",
  ],
  'request log': [
    'request_log',
    `(id, platform_id, created_at, method, path, operation_id, status, duration_ms, resource_ids)
       select 'old', platform_id, '1999-01-01', 'GET', '/', 'none', 200, 1, '' from daybook.api_tokens limit 1`,
  ],
  'rate limits': ['rate_limits', "(key, points, expire) values ('old', 1, 0)"],
  'device codes': [
    'agent_device_codes',
    `(id, code_mac, agent_id, platform_id, master_key_id, issued_at)
       values ('old', '', 'Agent:1', 'Platform:1', 'k', '1999-01-01')`,
  ],
  redemptions: [
    'agent_redemptions',
    "(id, proof, sealed, master_key_id, expires_at) values ('old', '', '', 'k', '1999-01-01')",
  ],
  'one-time codes': [
    'one_time_codes',
    "(id, mac, master_key_id, expires_at) values ('old', '', 'k', '1999-01-01')",
  ],
} as const;

describe('a worker', () => {
  it.each(Object.entries(old))('forgets what is over: %s', async (_task, [table, row]) => {
    const [, key] = /^\((\w+)/.exec(row) ?? [];
    await query(service.databaseUrl, `insert into daybook.${table} ${row}`);
    const left = () => query(service.databaseUrl, `select from daybook.${table} where ${key} = 'old'`);
    await expect.poll(left).toEqual([]);
  });

  it('ends webhooks that nobody took for 8 days, and tells how many', async () => {
    const told = () => lines.filter((line) => line.includes('webhooks have failed'));
    await addWebhookEvents(service, 3);
    const { databaseUrl } = service;
    await query(
      databaseUrl,
      "update daybook.webhook_events set retrying_since = now() - interval '9 days', next_attempt_at = now() + interval '1 day'",
    );
    const states = () => query(databaseUrl, 'select distinct state from daybook.webhook_events');
    await expect.poll(states).toEqual([{ state: 'FAILED' }]);
    await expect.poll(told).toHaveLength(1);
    expect(JSON.parse(told()[0] ?? '')).toMatchObject({ level: 40, count: 3 });
    const text = await (await fetch(`${service.url.slice(0, -basePath.length)}/metrics`)).text();
    expect(text).toContain('\ndaybook_webhooks_given_up_total 3\n');
  });
});
