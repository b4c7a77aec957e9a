/**
 * Keys that the log has and their table may have lost: each is there again as one that was begun and has no answer, so that
 * its next request looks for what was done under it.
 */
import { sql } from 'kysely';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { keptHours } from '../../src/infrastructure/http/once/keys-table.ts';
import type { UsedKey } from '../../src/kernel/aggregate.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import type { Projection } from '../projector/projection.ts';

type Used = UsedKey & { readonly tenant: string };

const hourMs = 3_600_000;

/** The key that an event says was used, where it counts at that moment: what is older means another request by now. */
function usedKeyOf({ metadata }: Pick<StoredEvent, 'metadata'>, now: Date): Used | undefined {
  const { key, copyOf, platformId } = metadata;
  if (!key || copyOf !== undefined) return undefined;
  const isOld = now.getTime() - new Date(key.since).getTime() > keptHours * hourMs;
  return isOld ? undefined : { ...key, tenant: platformId };
}

/** Who has taken such a key meanwhile, as if it were new, has it no more. Rows are locked in the order of their keys, as by all others. */
async function keepUsedKeys(used: readonly Used[], db: ReadDb | WriteDb): Promise<void> {
  await sql`
    insert into idempotency_keys as k (scope, tenant, created_at, held_until)
    select distinct on (scope collate "C") scope, tenant, since, clock_timestamp()
    from json_to_recordset(${JSON.stringify(used)}::json) as u (scope text, tenant text, since timestamptz)
    order by scope collate "C", since
    on conflict (scope) do update set created_at = excluded.created_at, held_until = excluded.held_until
    where k.status is null and k.created_at > excluded.created_at
      and k.created_at < excluded.created_at + ${keptHours} * interval '1 hour'`.execute(db);
}

/** With the checkpoint of the read models: where that is, all keys of the events before it are. */
export const usedKeys = (mayBeLost: (position: bigint) => boolean, now: () => Date): Projection => ({
  name: 'idempotency_keys',
  tables: [],
  project(event, rows) {
    const used = mayBeLost(event.position) ? usedKeyOf(event, now()) : undefined;
    if (used) rows.later(keepUsedKeys, used);
  },
});

/** For pages of the log, whichever moment they are of. */
export const usedKeysOfPages = (db: ReadDb, now: Date) => async (page: readonly StoredEvent[]) => {
  const used = page.flatMap((event) => usedKeyOf(event, now) ?? []);
  if (used.length > 0) await keepUsedKeys(used, db);
};
