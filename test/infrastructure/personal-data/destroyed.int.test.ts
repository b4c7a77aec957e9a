/** Events of former versions, which have sealed nothing, and persons whose keys are gone: however many of these there are. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { fewMax, personKeys, rememberedMax } from '../../../src/infrastructure/personal-data/keys.ts';
import { createVault } from '../../../src/infrastructure/personal-data/vault.ts';
import { createPool, type Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { createSealer, newMasterKey } from '../../../src/infrastructure/secrets/sealing.ts';
import { personal } from '../../../src/kernel/codecs.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';

const schemas = { Noted: z.object({ customerId: z.string(), note: personal(z.string()).optional() }) };
const customer = () => `Customer:${randomUUID()}`;
const noted = (customerId: string, note?: string) =>
  ({ type: 'Noted', data: { customerId, ...(note && { note }) }, metadata: {} }) as unknown as StoredEvent;

let pool: Pool;
const opened = () => {
  const keys = personKeys(pool, createSealer({ current: newMasterKey() }));
  return { keys, ...createVault(schemas, keys) };
};
const notesOf = (events: readonly StoredEvent[]) => events.map(({ data }) => data.note);

beforeEach(async () => {
  pool = createPool({ url: (await emptyBooks()).url, max: 2, name: 'test-destroyed' });
});
afterEach(() => pool.end());

async function destroyed(many: number): Promise<readonly string[]> {
  const ids = Array.from({ length: many }, customer);
  await opened().keys.destroy('Platform:1', ids, new Date());
  return ids;
}

const asked = () => vi.spyOn(pool, 'query');

describe('persons whose keys are gone', () => {
  it('are asked for where a page says something in plain, and nowhere else', async () => {
    const [gone = ''] = await destroyed(1);
    const { show } = opened();
    const statements = asked();
    const page = [noted(gone), noted(customer())];
    expect(await show(page)).toEqual(page);
    expect(statements).not.toHaveBeenCalled();
    expect(notesOf(await show([noted(gone, 'kind'), noted(customer(), 'kind')]))).toEqual([
      undefined,
      'kind',
    ]);
    expect(statements).toHaveBeenCalledTimes(1);
  });

  it('are known together where they are few: a page more is no statement more', async () => {
    const [gone = ''] = await destroyed(3);
    const { show, isErased } = opened();
    const statements = asked();
    for (let n = 0; n < 3; n++)
      expect(notesOf(await show([noted(gone, 'kind'), noted(customer(), 'kind')]))).toEqual([
        undefined,
        'kind',
      ]);
    expect([await isErased(gone), await isErased(customer())]).toEqual([true, false]);
    expect(statements).toHaveBeenCalledTimes(1);
  });

  it('are asked for one by one where they are many, and those are remembered', async () => {
    const ids = await destroyed(fewMax + 1);
    const { show, isErased, keys } = opened();
    const there = customer();
    const statements = asked();
    const page = [...ids.slice(0, 2), there].map((id) => noted(id, 'kind'));
    for (let n = 0; n < 3; n++) expect(notesOf(await show(page))).toEqual([undefined, undefined, 'kind']);
    // How many there are, and those of the page.
    expect(statements).toHaveBeenCalledTimes(2);
    const results = await Promise.all(statements.mock.results.map(({ value }) => value));
    expect(results.map(({ rows }) => rows.length)).toEqual([fewMax + 1, 2]);
    expect([await isErased(ids.at(-1) ?? ''), await isErased(there)]).toEqual([true, false]);
    statements.mockRestore();

    await opened().keys.destroy('Platform:1', [there], new Date());
    expect(notesOf(await show(page))).toEqual([undefined, undefined, 'kind']);
    keys.forget();
    expect(notesOf(await show(page))).toEqual([undefined, undefined, undefined]);
  });

  it('are found where a page is about more persons than are remembered', async () => {
    await destroyed(fewMax);
    const [gone = ''] = await destroyed(1);
    const others = Array.from({ length: rememberedMax }, customer);
    const shown = await opened().show([gone, ...others].map((id) => noted(id, 'kind')));
    expect(notesOf(shown).filter((note) => note === undefined)).toHaveLength(1);
  });
});
