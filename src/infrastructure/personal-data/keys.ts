/**
 * The keys of persons: 256 random bits each, sealed under the master key. To destroy one is to erase what it has sealed,
 * wherever that is.
 */
import { randomBytes } from 'node:crypto';
import { inParts } from '../../kernel/parts.ts';
import type { Pool } from '../postgres/pool.ts';
import { rememberNewest } from '../remembered/newest.ts';
import type { Sealer } from '../secrets/sealing.ts';

export const rememberedMax = 10_000;
/** A key that another process has destroyed is forgotten within this time, whatever becomes of what it says. */
export const rememberedMs = 60_000;
/** Of so many at most it is kept in memory that their keys are gone. */
export const fewMax = 10_000;
/** A customer has one for each payment: a statement that takes longer than others may is ended. */
const destroyedAtOnceMax = 1_000;

export const personKeyContext = (id: string): string => `key of ${id}`;

/** By the id of the person. */
export type Keys = ReadonlyMap<string, Buffer>;

export type PersonKeys = {
  /** Made where there are none. One that was destroyed is not among them. */
  readonly made: (owner: string, ids: readonly string[]) => Promise<Keys>;
  /** Those that are there. One that was destroyed is not among them. */
  readonly found: (ids: readonly string[]) => Promise<Keys>;
  /** Those of them of whom there is no key any more. */
  readonly destroyed: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Also of those that were never made: none will be. Where it ends on the way, the same again goes on. */
  readonly destroy: (owner: string, ids: readonly string[], at: Date) => Promise<void>;
  /** Another process has destroyed some. */
  readonly forget: () => void;
};

type Row = { readonly id: string; readonly sealed: Buffer | null; readonly master_key_id: string };
type Known = { readonly key: Buffer | undefined };
type AllKnown = ReadonlyMap<string, Known>;

export function personKeys(pool: Pool, sealer: Sealer): PersonKeys {
  const remembered = rememberNewest<string, Known>(rememberedMax, rememberedMs);
  const destroyed = destroyedKeys(pool);

  /** How often keys were destroyed: what was read before is not remembered any more. */
  let times = 0;

  const load = async (ids: readonly string[]): Promise<AllKnown> => {
    const before = times;
    const { rows } = await pool.query<Row>({
      name: 'person-keys',
      text: 'select id, sealed, master_key_id from person_keys where id = any($1)',
      values: [ids],
    });
    const loaded = new Map(
      rows.map(({ id, sealed, master_key_id: masterKeyId }): [string, Known] => {
        if (sealed === null) return [id, { key: undefined }];
        const text = sealer.unseal({ masterKeyId, sealed }, personKeyContext(id));
        return [id, { key: Buffer.from(text, 'base64') }];
      }),
    );
    if (times === before) for (const [id, known] of loaded) remembered.set(id, known);
    return loaded;
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
  /** What is forgotten while others are asked for is in the answer all the same: it was there. */
  const gather = async (
    ids: readonly string[],
    ask: (missing: readonly string[]) => Promise<AllKnown>,
  ): Promise<Keys> => {
    const known = new Map<string, Known | undefined>(ids.map((id) => [id, remembered.get(id)]));
    const missing = [...known.keys()].filter((id) => !known.get(id));
    const asked = missing.length > 0 ? await ask(missing) : undefined;
    const keys = new Map<string, Buffer>();
    for (const [id, one] of known) {
      const { key } = one ?? asked?.get(id) ?? {};
      if (key) keys.set(id, key);
    }
    return keys;
  };

  return {
    found: (ids) => gather(ids, load),
    destroyed: destroyed.among,
    made: (owner, ids) =>
      gather(ids, async (missing) => {
        const there = await load(missing);
        const none = missing.filter((id) => !there.has(id));
        if (none.length === 0) return there;
        await make(owner, none);
        return new Map([...there, ...(await load(none))]);
      }),
    async destroy(owner, ids, at) {
      for (const some of inParts(ids, destroyedAtOnceMax)) {
        await pool.query(
          `insert into person_keys (id, owner, sealed, master_key_id, destroyed_at)
           select id, $2, null, $3, $4 from unnest($1::text[]) as k (id)
           on conflict (id) do update set sealed = null, destroyed_at = coalesce(person_keys.destroyed_at, $4)`,
          [some, owner, sealer.masterKeyId, at],
        );
        times += 1;
        for (const id of some) remembered.set(id, { key: undefined });
        destroyed.forget();
      }
    },
    forget() {
      times += 1;
      remembered.clear();
      destroyed.forget();
    },
  };
}

type Gone = ReadonlySet<string>;
const nobody: Gone = new Set();

/**
 * Of whom there is no key any more. Where they are few, all of them are known, as they were last asked for: no page of the
 * log costs a statement. Where they are many, those are asked for who are mentioned, and remembered as keys are.
 */
function destroyedKeys(pool: Pool) {
  const remembered = rememberNewest<string, boolean>(rememberedMax, rememberedMs);
  let all: { readonly ids: Promise<Gone | undefined>; readonly until: number } | undefined;
  let times = 0;

  const few = (): Promise<Gone | undefined> => {
    if (all && performance.now() < all.until) return all.ids;
    const asked = pool.query<{ id: string }>('select id from person_keys where sealed is null limit $1', [
      fewMax + 1,
    ]);
    const ids = asked.then(({ rows }) =>
      rows.length > fewMax ? undefined : new Set(rows.map(({ id }) => id)),
    );
    const own = { ids, until: performance.now() + rememberedMs };
    all = own;
    ids.catch(() => {
      if (all === own) all = undefined;
    });
    return ids;
  };
  const ask = async (ids: readonly string[]): Promise<Gone> => {
    const before = times;
    const { rows } = await pool.query<{ id: string }>({
      name: 'destroyed-person-keys',
      text: 'select id from person_keys where id = any($1) and sealed is null',
      values: [ids],
    });
    const gone = new Set(rows.map(({ id }) => id));
    if (times === before) for (const id of ids) remembered.set(id, gone.has(id));
    return gone;
  };

  return {
    async among(ids: readonly string[]): Promise<Gone> {
      const found = await few();
      if (found) return new Set(ids.filter((id) => found.has(id)));
      const known = new Map(ids.map((id) => [id, remembered.get(id)]));
      const missing = [...known.keys()].filter((id) => known.get(id) === undefined);
      const asked = missing.length > 0 ? await ask(missing) : nobody;
      return new Set([...known.keys()].filter((id) => known.get(id) ?? asked.has(id)));
    },
    forget(): void {
      times += 1;
      all = undefined;
      remembered.clear();
    },
  };
}
