import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createReadDb } from '../../../projections/database.ts';
import { migrateBooks } from '../../../projections/migrations/migrate.ts';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { personKeys, rememberedMax } from '../../../src/infrastructure/personal-data/keys.ts';
import { createVault } from '../../../src/infrastructure/personal-data/vault.ts';
import { createPool, type Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { encrypted, nonceBytes } from '../../../src/infrastructure/secrets/aes-gcm.ts';
import { createSealer, newMasterKey } from '../../../src/infrastructure/secrets/sealing.ts';
import { personal } from '../../../src/kernel/codecs.ts';
import { createDatabase } from '../../support/postgres/database.ts';

const schemas = {
  Named: z.object({ id: z.string(), name: personal(z.string()), note: personal(z.string()).optional() }),
  Counted: z.object({ count: z.number() }),
};
const metadata = {
  platformId: 'Platform:1',
  correlationId: 'c',
  causationId: 'c',
  actor: 'a',
  at: '2026-01-01T00:00:00.000Z',
};
const named = (name = 'Ada') => ({ type: 'Named', data: { id: 'x', name }, metadata });
const stored = (event: object) =>
  ({ id: 'e', stream: 's', revision: 0, position: 1n, ...event }) as StoredEvent;

let url: string;
let pool: Pool;
const masterKey = newMasterKey();
const vaultWith = (key = masterKey) => {
  const keys = personKeys(pool, createSealer({ current: key }));
  return Object.assign(createVault(schemas, keys), { keys });
};

beforeAll(async () => {
  url = await createDatabase();
  pool = createPool({ url, max: 2, name: 'test-vault' });
  const db = createReadDb(createPool({ url, max: 1, name: 'test-migrate' }));
  await migrateBooks(db);
  await db.destroy();
});
afterAll(() => pool.end());

describe('what is personal', () => {
  it('is sealed, and opened by another process', async () => {
    const hidden = await vaultWith().hide(named(), () => ['Customer:1']);
    expect(hidden.data).toEqual({ id: 'x', name: 'sealed' });
    expect(JSON.stringify(hidden)).not.toContain('Ada');
    const [shown] = await vaultWith().show([stored(hidden)]);
    expect(shown?.data).toEqual(named().data);
  });

  it('is not sealed where it cannot be stored when it is opened', async () => {
    const { hide } = vaultWith();
    for (const name of ['a\u0000', 'a\ud800'])
      await expect(hide(named(name), () => ['Customer:1'])).rejects.toThrow(
        'a text of Named cannot be stored',
      );
  });

  it('is opened so that it can be stored, where a former version has sealed it otherwise', async () => {
    const { keys, show } = vaultWith();
    const persons = ['Customer:9'];
    const key = (await keys.made('Platform:1', persons)).get('Customer:9') ?? Buffer.alloc(0);
    const context = Buffer.from(JSON.stringify(['Platform:1', persons, 'Named', ['name']]));
    const said = JSON.stringify(['Gr\u0000ce\ud800']);
    const box = encrypted(key, Buffer.alloc(nonceBytes, 1), said, context).toString('base64');
    const sealed = { ...named('sealed'), metadata: { ...metadata, personal: { of: persons, box } } };
    const [shown] = await show([stored(sealed)]);
    expect(shown?.data).toEqual({ id: 'x', name: 'Gr\ufffdce\ufffd' });
  });

  it('is left as it is where it is about nobody, and costs nothing where there is none', () => {
    const { hide } = vaultWith();
    const event = named();
    expect(hide(event, () => [])).toBe(event);
    const counted = { type: 'Counted', data: { count: 1 }, metadata };
    expect(hide(counted, () => ['Customer:1'])).toBe(counted);
  });

  it('is sealed the same each time, and not the same for another', async () => {
    const { hide } = vaultWith();
    const boxOf = async (event: ReturnType<typeof named>, ...of: string[]) =>
      (await hide(event, () => of)).metadata as { personal?: { box?: string } };
    const box = (await boxOf(named(), 'Customer:2')).personal?.box;
    expect((await boxOf(named(), 'Customer:2')).personal?.box).toBe(box);
    expect((await boxOf(named('Eda'), 'Customer:2')).personal?.box).not.toBe(box);
    expect((await boxOf(named(), 'Customer:3')).personal?.box).not.toBe(box);
  });

  it('is opened nowhere else: not on another platform, about another person, or with another field', async () => {
    const { hide, show } = vaultWith();
    const hidden = await hide(named(), () => ['Customer:1']);
    const { box } = (hidden.metadata as { personal?: { box?: string } }).personal ?? {};
    await hide(named(), () => ['Customer:4']);
    for (const changed of [
      { ...hidden, metadata: { ...hidden.metadata, platformId: 'Platform:2' } },
      { ...hidden, metadata: { ...hidden.metadata, personal: { of: ['Customer:4'], box } } },
      { ...hidden, data: { ...hidden.data, note: 'sealed' } },
    ])
      expect((await show([stored(changed)])).map(({ data }) => data)).not.toMatchObject([{ name: 'Ada' }]);
    await expect(vaultWith(newMasterKey()).show([stored(hidden)])).rejects.toThrow(/master key/);
  });

  it('says erased where the key was lost and made anew, and is there again with the key', async () => {
    const rows = "select * from person_keys where id = 'Customer:18'";
    const before = await vaultWith().hide(named(), () => ['Customer:18']);
    const [lost] = (await pool.query(rows)).rows;
    await pool.query("delete from person_keys where id = 'Customer:18'");
    const after = await vaultWith().hide(named('Ada K.'), () => ['Customer:18']);
    const told: unknown[] = [];
    const keys = () => personKeys(pool, createSealer({ current: masterKey }));
    const namesOf = async () => {
      const lostKey = ({ metadata: { personal: of } }: StoredEvent) => told.push(of);
      const { show } = createVault(schemas, keys(), { lostKey });
      return (await show([stored(before), stored(after)])).map(({ data }) => data.name);
    };
    expect(await namesOf()).toEqual(['erased', 'Ada K.']);
    await pool.query('update person_keys set sealed = $1 where id = $2', [lost.sealed, 'Customer:18']);
    expect(await namesOf()).toEqual(['Ada', 'erased']);
    expect(told).toMatchObject([{ of: ['Customer:18'] }, { of: ['Customer:18'] }]);
  });

  it('is gone for a process that had read it, once that is told that another has destroyed a key', async () => {
    const [one, other] = [vaultWith(), vaultWith()];
    const event = stored(await one.hide(named(), () => ['Customer:17']));
    expect((await other.show([event]))[0]?.data).toEqual(named().data);
    await one.keys.destroy('Platform:1', ['Customer:17'], new Date());
    other.keys.forget();
    expect((await other.show([event]))[0]?.data).toEqual({ id: 'x', name: 'erased' });
  });

  it('about two is gone when one of them is erased, and is not sealed for that one again', async () => {
    const { hide, show, keys } = vaultWith();
    const both = await hide({ ...named(), data: { id: 'x', name: 'Ada', note: 'kind' } }, () => [
      'Customer:5',
      'Customer:6',
    ]);
    const own = await hide(named(), () => ['Customer:5']);
    await keys.destroy('Platform:1', ['Customer:6', 'Customer:7'], new Date());
    const [gone, there] = await show([stored(both), stored(own)]);
    expect(gone?.data).toEqual({ id: 'x', name: 'erased' });
    expect(there?.data).toEqual(named().data);
    const [elsewhere] = await vaultWith().show([stored(both)]);
    expect(elsewhere?.data).toEqual(gone?.data);
    // Nor is what was never there made for somebody who is erased.
    const late = await vaultWith().hide(named(), () => ['Customer:7']);
    expect(late.metadata).toMatchObject({ personal: { of: ['Customer:7'] } });
    expect(JSON.stringify(late)).not.toContain('box');
    expect((await show([stored(late)]))[0]?.data).toEqual({ id: 'x', name: 'erased' });
  });

  it('is not known to its writer either, where it is recorded of somebody who is erased', async () => {
    const { hide, keys } = vaultWith();
    await keys.destroy('Platform:1', ['Customer:15'], new Date());
    const event = { ...named(), known: { data: named().data, state: {} } };
    const late = await hide(event, () => ['Customer:15']);
    expect(late.known.data).toEqual({ id: 'x', name: 'erased' });
    expect((await hide(event, () => ['Customer:16'])).known).toBe(event.known);
  });

  it('is not taken for erased where keys are forgotten while others are asked for', async () => {
    const both = await vaultWith().hide(named(), () => ['Customer:11', 'Customer:12']);
    const { hide, show, keys } = vaultWith();
    const one = await hide(named(), () => ['Customer:11']);
    const shown = show([stored(one), stored(both)]);
    keys.forget();
    expect((await shown).map(({ data }) => data)).toEqual([named().data, named().data]);
    await keys.found(['Customer:11']);
    const hidden = hide(named(), () => ['Customer:11', 'Customer:13']);
    keys.forget();
    expect((await vaultWith().show([stored(await hidden)]))[0]?.data).toEqual(named().data);
  });

  it('is not taken for erased where it is about more persons than are remembered', async () => {
    const { keys } = vaultWith();
    const ids = Array.from({ length: rememberedMax + 2 }, (_, n) => `Customer:of-many-${n}`);
    expect((await keys.made('Platform:1', ids)).size).toBe(ids.length);
    expect((await keys.found(ids)).size).toBe(ids.length);
  });

  it('is not remembered by who had read its key when somebody destroyed it', async () => {
    const hidden = await vaultWith().hide(named(), () => ['Customer:14']);
    const [read, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const query = async (config: QueryConfig) => {
      const result = await pool.query(config);
      read.resolve();
      await late.promise;
      return result;
    };
    const slow = { query } as unknown as Pool;
    const keys = personKeys(slow, createSealer({ current: masterKey }));
    const { show } = createVault(schemas, keys);
    const shown = show([stored(hidden)]);
    await read.promise;
    await vaultWith().keys.destroy('Platform:1', ['Customer:14'], new Date());
    keys.forget();
    late.resolve();
    expect((await shown)[0]?.data).toEqual(named().data);
    expect((await show([stored(hidden)]))[0]?.data).toEqual({ id: 'x', name: 'erased' });
  });

  it('is opened with one statement, about however many persons', async () => {
    const names = ['Ada', 'Eda', 'Ida'];
    const { hide } = vaultWith();
    const hidden = await Promise.all(names.map((name) => hide(named(name), () => [`Customer:${name}`])));
    const statements = vi.spyOn(pool, 'query');
    const shown = await vaultWith().show(hidden.map(stored));
    expect(shown.map(({ data }) => data.name)).toEqual(names);
    expect(statements).toHaveBeenCalledTimes(1);
    statements.mockRestore();
  });

  it('is erased with statements that are about a thousand at most, however many there are', async () => {
    const { keys } = vaultWith();
    const ids = Array.from({ length: 20_000 }, (_, n) => `Customer:gone-${n}`);
    await keys.made('Platform:1', ids.slice(-2));
    const statements = vi.spyOn(pool, 'query');
    await keys.destroy('Platform:1', ids, new Date());
    const sizes = statements.mock.calls.map(
      ([, values]) => (values as unknown as [readonly string[]])[0].length,
    );
    statements.mockRestore();
    expect(sizes).toEqual(Array.from({ length: 20 }, () => 1_000));
    const { rows } = await pool.query(
      "select count(*)::int as n from person_keys where id like 'Customer:gone-%' and sealed is null",
    );
    expect(rows).toEqual([{ n: ids.length }]);
    expect((await keys.found(ids.slice(-2))).size).toBe(0);
  });

  it('has one key where two processes make it at once', async () => {
    const hidden = await Promise.all(
      Array.from({ length: 8 }, (_, n) => vaultWith().hide(named(`Ada ${n}`), () => ['Customer:8'])),
    );
    const shown = await vaultWith().show(hidden.map(stored));
    expect(shown.map(({ data }) => data.name)).toEqual(hidden.map((_, n) => `Ada ${n}`));
  });
});
