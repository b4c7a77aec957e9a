/**
 * The keys of persons: 256 random bits each, sealed under the master key. To destroy one is to erase what it has sealed,
 * wherever that is.
 */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool } from '../postgres/pool.ts';
import type { Sealer } from '../secrets/sealing.ts';

export const rememberedMax = 10_000;
/** A key that another process has destroyed is forgotten within this time, whatever becomes of what it says. */
export const rememberedMs = 60_000;

export const personKeyContext = (id: string): string => `key of ${id}`;

export type PersonKeys = {
  /** Made where there are none; `undefined` for one that was destroyed. */
  readonly made: (owner: string, ids: readonly string[]) => Promise<readonly (Buffer | undefined)[]>;
  /** `undefined` for one that is not there, or was destroyed. */
  readonly found: (ids: readonly string[]) => Promise<readonly (Buffer | undefined)[]>;
  /** Of whom there is no key any more. */
  readonly destroyed: () => Promise<ReadonlySet<string>>;
  /** Also of those that were never made: none will be. */
  readonly destroy: (owner: string, ids: readonly string[], at: Date) => Promise<void>;
  /** Another process has destroyed some. */
  readonly forget: () => void;
};

type Row = { readonly id: string; readonly sealed: Buffer | null; readonly master_key_id: string };
type Known = { readonly key: Buffer | undefined };

export function personKeys(pool: Pool, sealer: Sealer): PersonKeys {
  const remembered = new LRUCache<string, Known>({ max: rememberedMax, ttl: rememberedMs });

  const load = async (ids: readonly string[]): Promise<void> => {
    const { rows } = await pool.query<Row>({
      name: 'person-keys',
      text: 'select id, sealed, master_key_id from person_keys where id = any($1)',
      values: [ids],
    });
    for (const { id, sealed, master_key_id: masterKeyId } of rows) {
      const key =
        sealed === null
          ? undefined
          : Buffer.from(sealer.unseal({ masterKeyId, sealed }, personKeyContext(id)), 'base64');
      remembered.set(id, { key });
    }
  };
  /** Of several that are made at once the first counts. */
  const make = async (owner: string, ids: readonly string[]): Promise<void> => {
    const sealed = ids.map((id) => sealer.seal(randomBytes(32).toString('base64'), personKeyContext(id)));
    await pool.query({
      name: 'make-person-keys',
      text: `insert into person_keys (id, owner, sealed, master_key_id)
        select id, $2, sealed, $4 from unnest($1::text[], $3::bytea[]) as k (id, sealed) on conflict do nothing`,
      values: [ids, owner, sealed.map((one) => one.sealed), sealer.masterKeyId],
    });
  };
  let destroyed: { readonly ids: Promise<ReadonlySet<string>>; readonly until: number } | undefined;
  const allDestroyed = (): Promise<ReadonlySet<string>> => {
    if (destroyed && performance.now() < destroyed.until) return destroyed.ids;
    const asked = pool.query<{ id: string }>('select id from person_keys where sealed is null');
    const ids = asked.then(({ rows }) => new Set(rows.map(({ id }) => id)));
    const own = { ids, until: performance.now() + rememberedMs };
    destroyed = own;
    ids.catch(() => {
      if (destroyed === own) destroyed = undefined;
    });
    return ids;
  };
  const unknown = (ids: readonly string[]) => ids.filter((id) => !remembered.has(id));
  const found = async (ids: readonly string[]) => {
    const missing = unknown(ids);
    if (missing.length > 0) await load(missing);
    return ids.map((id) => remembered.get(id)?.key);
  };

  return {
    found,
    destroyed: allDestroyed,
    async made(owner, ids) {
      const missing = unknown(ids);
      if (missing.length > 0) {
        await load(missing);
        const none = unknown(missing);
        if (none.length > 0) {
          await make(owner, none);
          await load(none);
        }
      }
      return ids.map((id) => remembered.get(id)?.key);
    },
    async destroy(owner, ids, at) {
      await pool.query(
        `insert into person_keys (id, owner, sealed, master_key_id, destroyed_at)
         select id, $2, null, $3, $4 from unnest($1::text[]) as k (id)
         on conflict (id) do update set sealed = null, destroyed_at = coalesce(person_keys.destroyed_at, $4)`,
        [ids, owner, sealer.masterKeyId, at],
      );
      for (const id of ids) remembered.set(id, { key: undefined });
      destroyed = undefined;
    },
    forget() {
      remembered.clear();
      destroyed = undefined;
    },
  };
}
