/** However much a platform has beside the log, it comes back. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { inTransaction } from '../../../src/infrastructure/postgres/transaction.ts';
import type { PlatformId, SnapshotId } from '../../../src/kernel/ids.ts';
import { keepRows, putBackRows } from '../../../src/workers/platform-snapshots/kept-rows.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';

const platformId = `Platform:${randomUUID()}` as PlatformId;
const id = `Snapshot:${randomUUID()}` as SnapshotId;

it('keys and webhooks by the thousand are put back as they were', async () => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 2, name: 'books' });
  onTestFinished(() => pool.end());
  const addKeys = (scopes: string) =>
    query(
      url,
      `insert into daybook.idempotency_keys (scope, status, body, held_until, created_at, fingerprint, tenant)
       select '${scopes}' || n, 200, '{}', now(), now(), '', $1 from generate_series(1, 10000) n`,
      [platformId],
    );
  await addKeys('then-');
  await query(
    url,
    `insert into daybook.webhook_events (id, platform_id, type, object_id, position, n, body, state, attempts, retries,
       retrying_since, redelivery, created_at, updated_at)
     select 'Webhook:' || n, $1, 'ANY', 'Any:' || n, n, 0, '{}', 'DELIVERED', 1, 0, now(), false, now(), now()
     from generate_series(1, 20000) n`,
    [platformId],
  );
  await query(
    url,
    `insert into daybook.sandbox_snapshots (id, platform_id, position, events, streams, created_at)
     values ($1, $2, 1, 1, '[]', now())`,
    [id, platformId],
  );
  const rows = () =>
    query(
      url,
      `select (select count(*)::int from daybook.webhook_events) as webhooks, (select count(*)::int from daybook.idempotency_keys) as keys,
         (select md5(string_agg(e::text, ' ' order by id)) from daybook.webhook_events e) as of_webhooks,
         (select md5(string_agg(k::text, ' ' order by scope)) from daybook.idempotency_keys k) as of_keys`,
    );
  const before = await rows();
  expect(before).toMatchObject([{ webhooks: 20_000, keys: 10_000 }]);
  const of = { platformId, streams: [], until: 20_000n };
  await inTransaction(pool, (client) => keepRows(client, id, of));
  await addKeys('since-');
  await query(url, "update daybook.webhook_events set attempts = 2 where id like '%7'");
  await query(url, "delete from daybook.webhook_events where id like '%3'");

  await inTransaction(pool, (client) => putBackRows(client, id, of));
  expect(await rows()).toEqual(before);
});
