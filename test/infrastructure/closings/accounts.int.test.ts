import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createStates } from '../../../projections/projector/states.ts';
import { aggregates } from '../../../src/domain/aggregates.ts';
import { closedEvery, foldingOf, pageMax } from '../../../src/infrastructure/closings/fold.ts';
import { contentOf } from '../../../src/infrastructure/closings/text.ts';
import { deposit } from '../../support/builders/accounts.ts';
import { usd } from '../../support/builders/money.ts';
import {
  accountStream,
  accountUuid,
  closingsOf,
  emptyLog,
  fillAccount,
  openProcess,
  startProcess,
} from '../../support/log/long-streams.ts';
import { query } from '../../support/postgres/database.ts';
import { patienceMs } from '../../support/time/patience.ts';

const entries = 100_000;
/** What opening a stream may read: its first events, and those since its last closing. */
const opening = 2 * closedEvery + 100;
/** And what is between two closings that were made as it was read. */
const stretch = opening + pageMax;
const credit = (entryId: string) => deposit({ entryId, requestedBy: 'again', amount: usd(100n) });
const booked = (url: string) =>
  query<{ entry: string; times: number }>(
    url,
    `select data ->> 'entryId' as entry, count(*)::int as times from daybook_log.events
     where type = 'AccountCredited' group by 1 having count(*) > 1`,
  );

describe(`an account of ${entries} entries`, () => {
  let url = '';
  beforeAll(async () => {
    url = await emptyLog();
    await fillAccount(url, entries);
    const { load, close } = await openProcess(url);
    expect(await load()).toMatchObject({ balance: BigInt(entries) * 100n });
    await close();
  });

  it('has been closed as it was read', async () =>
    expect(await closingsOf(url)).toBeGreaterThanOrEqual(entries / pageMax - 1));

  it('is opened by another process from its last closing', async () => {
    const { load, store } = await startProcess(url);
    expect(await load()).toMatchObject({ balance: BigInt(entries) * 100n, status: 'ACTIVE' });
    expect(store.counts.events).toBeLessThan(opening);
  });

  it('is opened by a projector so, as of any event', async () => {
    const { store, closings } = await startProcess(url);
    for (const revision of [entries, 31_415]) {
      const before = store.counts.events;
      const [event] = await store.read(accountStream, revision, 1);
      const [followed] = event ? await createStates(store, closings).follow([event]) : [];
      expect(followed).toMatchObject({ revision, state: { balance: BigInt(revision) * 100n } });
      expect(store.counts.events - before).toBeLessThan(stretch);
    }
  });

  it('is a bounded part of memory', async () => {
    const { load } = await startProcess(url);
    const state = await load();
    expect(state.entries.size).toBeLessThan(2 * closedEvery);
    expect(aggregates.account.extraBytes(state)).toBeLessThan(1024 * 1024);
  });

  it.each(['entry-1', 'entry-500', 'entry-50000', `entry-${entries}`])('books %s once', async (entryId) => {
    const { run, load } = await startProcess(url);
    const { events, state } = await run(credit(entryId));
    expect(events).toEqual([]);
    expect(state).toMatchObject({ balance: BigInt(entries) * 100n });
    const known = await load([entryId]);
    expect(known.entries.get(entryId)).toBe(entryId.replace('entry', 'request'));
  });

  it('runs again what follows from an old entry, and reads a part of the log for it', async () => {
    const { commands, store } = await startProcess(url);
    const seen: unknown[] = [];
    const isIts = ({ data }: { data: object }) => 'entryId' in data && data.entryId === 'entry-41000';
    const note = { seen: (position: bigint) => seen.push(position) };
    await commands.resume('account', accountUuid, isIts, note, ['entry-41000']);
    expect(seen).toEqual([41_001n]);
    expect(store.counts.events).toBeLessThan(stretch);
  });

  it('looks up no entry that was never booked, but for a few', async () => {
    let looks = 0;
    const { run } = await startProcess(url, {
      closings: (closings) => ({
        ...closings,
        recall: (...asked) => {
          looks += 1;
          return closings.recall(...asked);
        },
      }),
    });
    for (let n = 0; n < 200; n++) await run(credit(`new-${n}`));
    expect(looks).toBeLessThan(5);
  });

  it('has closings each of which says what the events up to it add up to', async () => {
    const { store, closings } = await startProcess(url);
    const plain = foldingOf(store, aggregates.account);
    const book = { stream: accountStream, version: aggregates.account.closing.version };
    for (const upTo of [2 * pageMax, 30_000, entries]) {
      const found = await closings.newest(book, upTo);
      if (!found) throw new Error(`no closing up to ${upTo}`);
      const { state: closed } = contentOf<never>(aggregates.account.closing, found);
      const { state: folded } = await plain.read(accountStream, undefined, found.revision);
      const without = (state: object) => ({ ...state, entries: undefined });
      expect(without(closed)).toEqual(without(folded));
      const rows = await query<{ key: string }>(
        url,
        'select key from daybook.closed_values where stream = $1 and revision <= $2',
        [accountStream, found.revision],
      );
      const keys = folded.status === 'none' ? [] : folded.entries.all().map(([key]) => key);
      expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(keys));
    }
  });
});

describe('a closing', () => {
  const some = 3 * closedEvery;
  const whole = { balance: BigInt(some) * 100n };

  async function closedLog(): Promise<string> {
    const url = await emptyLog();
    await fillAccount(url, some);
    await (await startProcess(url)).load();
    return url;
  }

  it('is made by those who write, beside their work, and takes effect while they go on', async () => {
    const url = await emptyLog();
    await fillAccount(url, 1);
    const { run, load } = await startProcess(url);
    for (let n = 0; n < 2_000; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, i) => run(credit(`mine-${n + i}`))));
    await vi.waitFor(async () => expect(await closingsOf(url)).toBeGreaterThanOrEqual(3), {
      timeout: patienceMs,
    });
    expect((await load()).entries.size).toBeLessThan(2 * closedEvery);
    expect((await run(credit('mine-3'))).events).toEqual([]);
    expect(await booked(url)).toEqual([]);
  });

  it('is not believed where it was changed', async () => {
    const url = await closedLog();
    await query(url, `update daybook.closings set state = replace(state, 'n1', 'n9')`);
    const { load, run } = await startProcess(url);
    expect(await load()).toMatchObject(whole);
    expect((await run(credit('entry-7'))).events).toEqual([]);
  });

  it('is not believed where its filter has lost a part', async () => {
    const url = await closedLog();
    await query(url, 'delete from daybook.closing_filters where part = 0');
    const { load, run } = await startProcess(url);
    expect(await load()).toMatchObject(whole);
    expect((await run(credit('entry-7'))).events).toEqual([]);
  });

  it('of another version of the fold is not read', async () => {
    const url = await closedLog();
    const closing = { ...aggregates.account.closing, version: 99 };
    const newer = { ...aggregates, account: { ...aggregates.account, closing } };
    const { load, run, store } = await startProcess(url, { aggregates: newer });
    expect(await load()).toMatchObject(whole);
    expect(store.counts.events).toBeGreaterThan(some);
    expect((await run(credit('entry-7'))).events).toEqual([]);
  });

  it.each([
    ['a shorter one', some - closedEvery - 1, 'entry'],
    ['another', some, 'elsewhere'],
  ])('of a longer log is not believed by %s', async (_what, length, ids) => {
    const [url, other] = [await closedLog(), await emptyLog()];
    await fillAccount(other, length, ids);
    await copyClosings(url, other);
    const { load, run } = await startProcess(other);
    expect(await load()).toMatchObject({ balance: BigInt(length) * 100n });
    expect((await run(credit(`${ids}-7`))).events).toEqual([]);
    expect((await run(credit('never'))).events).toHaveLength(1);
    const { events } = await (await startProcess(other)).run(credit('never'));
    expect(events).toEqual([]);
  });

  it('that is lost while processes rest on it is missed before anything is booked twice', async () => {
    const url = await closedLog();
    const { load, run } = await startProcess(url);
    await load();
    await query(url, 'truncate daybook.closings, daybook.closed_values, daybook.closing_filters');
    expect((await run(credit('entry-7'))).events).toEqual([]);
    expect(await load()).toMatchObject(whole);
    expect((await run(credit('entry-700'))).events).toEqual([]);
  });

  it.each(['before', 'after'])('that fails %s its commit changes nothing', async (when) => {
    const url = await emptyLog();
    await fillAccount(url, some);
    const { load, run } = await startProcess(url, {
      closings: (closings) => ({
        ...closings,
        async add(...given) {
          if (when === 'after') await closings.add(...given);
          throw new Error('the connection is gone');
        },
      }),
    });
    expect(await load()).toMatchObject(whole);
    expect((await run(credit('entry-7'))).events).toEqual([]);
    expect((await run(credit('new'))).events).toHaveLength(1);
    const next = await startProcess(url);
    expect((await next.run(credit('new'))).events).toEqual([]);
    expect((await next.run(credit('entry-7'))).events).toEqual([]);
  });
});

/** As after a restore of the log alone. */
async function copyClosings(from: string, to: string): Promise<void> {
  for (const table of ['closings', 'closed_values', 'closing_filters']) {
    const [row] = await query<{ rows: unknown }>(
      from,
      `select coalesce(json_agg(t), '[]') as rows from daybook.${table} t`,
    );
    await query(
      to,
      `insert into daybook.${table} select * from json_populate_recordset(null::daybook.${table}, $1)`,
      [JSON.stringify(row?.rows)],
    );
  }
}

describe('two processes at one account', () => {
  it('book every entry once, whoever closes the books', async () => {
    const url = await emptyLog();
    await fillAccount(url, closedEvery - 100);
    const processes = [await startProcess(url), await startProcess(url)];
    const total = 1_500;
    for (let n = 0; n < total; n += 30) {
      // Both are asked for the same entries, and for old ones.
      const asked = Array.from({ length: 30 }, (_, i) => `both-${n + i}`);
      await Promise.all(
        processes.flatMap(({ run }) => [...asked, `both-${n >> 1}`, 'entry-5'].map((id) => run(credit(id)))),
      );
    }
    expect(await booked(url)).toEqual([]);
    const balance = BigInt(closedEvery - 100 + total) * 100n;
    for (const { load } of [...processes, await startProcess(url)])
      expect(await load()).toMatchObject({ balance });
    await vi.waitFor(async () => expect(await closingsOf(url)).toBeGreaterThanOrEqual(2), {
      timeout: patienceMs,
    });
    const plain = await startProcess(url);
    for (const id of ['both-0', `both-${total - 1}`, 'entry-399'])
      expect((await plain.run(credit(id))).events).toEqual([]);
  });
});
