import { randomUUID } from 'node:crypto';
import { createReadDb } from '../../../projections/database.ts';
import { appendWebhookEvents, type NewWebhookEvent } from '../../../projections/kept/webhook-events.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { idOf, type PlatformId } from '../../../src/kernel/ids.ts';
import type { TestService } from '../processes/service.ts';
import type { Receiver } from '../servers/receiver.ts';
import { query } from './database.ts';

const usualType = 'INTERNAL_ACCOUNT.BALANCE_UPDATED';

/** The platform of a service's first token. */
export async function platformOf({ databaseUrl, credentials }: TestService): Promise<PlatformId> {
  const [row] = await query<{ id: PlatformId }>(
    databaseUrl,
    'select platform_id as id from daybook.api_tokens where client_id = $1',
    [credentials.clientId],
  );
  if (!row) throw new Error('a service without a platform');
  return row.id;
}

/** How far the read models have come. */
export async function projectedIn({ databaseUrl }: TestService): Promise<bigint> {
  const [row] = await query<{ position: string }>(
    databaseUrl,
    `select position from daybook.checkpoints where name = 'projections'`,
  );
  return BigInt(row?.position ?? 0);
}

type About = { readonly platformId?: PlatformId; readonly type?: string };

/**
 * Adds so many events to the outbox of a platform, the service's own unless another is named, as the projector does, in
 * one commit: all are due at once.
 */
export async function addWebhookEvents(
  service: TestService,
  count: number,
  perObject = 1,
  { platformId, type = usualType }: About = {},
): Promise<void> {
  const platform_id = platformId ?? (await platformOf(service));
  const position = await projectedIn(service);
  const at = new Date();
  const objects = Array.from({ length: Math.ceil(count / perObject) }, () => `Thing:${randomUUID()}`);
  const events = Array.from({ length: count }, (_one, n): NewWebhookEvent => {
    const object_id = objects[n % objects.length] ?? '';
    const body = JSON.stringify({ id: object_id, step: Math.floor(n / objects.length) });
    return {
      id: idOf('Webhook', randomUUID()),
      platform_id,
      type,
      object_id,
      position,
      n,
      body,
      at,
    };
  });
  const db = createReadDb(createPool({ url: service.databaseUrl, max: 1, name: 'outbox' }));
  await db.transaction().execute((transaction) => appendWebhookEvents(events, transaction));
  await db.destroy();
}

/** How many of the events that `addWebhookEvents` has added are in a state, after so many failed calls. */
export async function countEvents({ databaseUrl }: TestService, state: string, retries = 0): Promise<number> {
  const [row] = await query<{ count: number }>(
    databaseUrl,
    `select count(*)::int as count from daybook.webhook_events
     where type = $1 and state = $2 and retries >= $3`,
    [usualType, state, retries],
  );
  return row?.count ?? 0;
}

/** What has come of them at a receiver, in order. */
export const arrivedAt = ({ received }: Receiver) =>
  received
    .filter(({ body }) => body.type === usualType)
    .map(({ body }) => ({
      event: String(body.id),
      object: String(body.data.id),
      step: Number(body.data.step),
    }));

/** So many platforms of which there is nothing but an endpoint. */
export async function platformsWith({ databaseUrl }: TestService, urls: readonly string[]) {
  const ids = urls.map(() => idOf('Platform', randomUUID()));
  await query(
    databaseUrl,
    `insert into daybook.webhook_endpoints (platform_id, environment, url)
     select id, 'sandbox', url from unnest($1::text[], $2::text[]) as e (id, url)`,
    [ids, urls],
  );
  return ids;
}
