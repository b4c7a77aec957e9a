import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RequestLate } from '../../../src/infrastructure/away.ts';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import { migrateLog } from '../../../src/infrastructure/event-store/postgres/schema.ts';
import { postgresEventStore } from '../../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { ofEachProcess } from '../../../src/infrastructure/postgres/processes.ts';
import {
  appendOn,
  backends,
  connect,
  terminate,
  unlockAppend,
  untilSome,
} from '../../support/log/raw-log.ts';
import { createDatabase, query } from '../../support/postgres/database.ts';
import { patienceMs } from '../../support/time/patience.ts';
import { eventStoreContract } from './contract.ts';
import { aNewEvent, freshPrefix, idsOf, newEvents, record } from './recording.ts';

const log = createLog('silent');

/** Of a store whose appends a test keeps waiting. */
const patient = { waits: { statementMaxMs: patienceMs, waitMaxMs: patienceMs } };

eventStoreContract('Postgres', async () => {
  const url = await createDatabase();
  const stores = [await postgresEventStore(url, log)];
  const reopen = async () => {
    const again = await postgresEventStore(url, log);
    stores.push(again);
    return again;
  };
  const [store] = stores as [EventStore];
  // One test closes its store itself.
  const close = async () => void (await Promise.allSettled(stores.map((each) => each.close())));
  return { store, reopen, close };
});

describe('the Postgres log', () => {
  let url: string;
  let store: EventStore;
  beforeAll(async () => {
    url = await createDatabase();
    store = await postgresEventStore(url, log, patient);
  });
  afterAll(() => store.close());

  const appendAll = (prefix: string, events = newEvents(200)) =>
    Promise.allSettled(events.map((event, n) => store.append(`${prefix}${n}`, 'none', [event])));
  const count = async (what: string, prefix: string) => {
    const [row] = await query<{ n: number }>(
      url,
      `select count(${what})::int as n from daybook_log.events where starts_with(stream, $1)`,
      [prefix],
    );
    return row?.n;
  };

  it('is opened, and appended to meanwhile, while its table is vacuumed', async () => {
    const client = await connect(url);
    await client.query('begin; lock table daybook_log.events in share update exclusive mode');
    const opening = postgresEventStore(url, log);
    await store.append(`thing-${freshPrefix()}`, 'none', newEvents(1));
    await (await opening).close();
    await store.append(`thing-${freshPrefix()}`, 'none', newEvents(1));
    await client.query('rollback');
    await client.end();
  });

  it('commits 200 appends that arrive together in a handful of transactions', async () => {
    const prefix = freshPrefix();
    await appendAll(prefix);
    expect(await count('*', prefix)).toBe(200);
    expect(await count('distinct xmin::text', prefix)).toBeLessThanOrEqual(5);
  });

  it.each([
    ['text that jsonb cannot hold', { ...aNewEvent({ text: 'nul \u0000' }) }],
    ['half a character', { ...aNewEvent({ text: '\ud83e' }) }],
    ['an id that is no uuid', { ...aNewEvent(), id: 'one' }],
  ])('fails an append with %s alone', async (_what, poisoned) => {
    const prefix = freshPrefix();
    const outcomes = await appendAll(prefix, [...newEvents(20), poisoned, ...newEvents(20)]);
    const refused = outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
    expect(refused).toEqual([20]);
    expect(await count('*', prefix)).toBe(40);
  });

  const until = (latest: number | undefined) => ({ requireStill: () => undefined, latest });
  const anHour = 3_600_000;

  it('appends nothing after its last moment, but what comes with it', async () => {
    const prefix = freshPrefix();
    const moments = [Date.now() + anHour, Date.now() - anHour, undefined, Date.now() - anHour];
    const outcomes = await Promise.allSettled(
      moments.map((latest, n) => store.append(`${prefix}${n}`, 'none', newEvents(2), until(latest))),
    );
    const late = outcomes.map((one) => one.status === 'rejected' && one.reason instanceof RequestLate);
    expect(late).toEqual([false, true, false, true]);
    expect(await count('*', prefix)).toBe(4);
  });

  it('looks at the moment once nobody else appends', async () => {
    const prefix = freshPrefix();
    const other = await connect(url);
    await other.query('begin');
    await appendOn(other);
    const moment = Date.now() + 1_000;
    const waiting = Promise.allSettled([store.append(prefix, 'none', newEvents(1), until(moment))]);
    await untilSome(() => backends(url, `daybook-${ofEachProcess.writer}`, true));
    await other.query('select pg_sleep_until(to_timestamp($1 / 1000.0) + interval $$10 ms$$)', [moment]);
    await other.query('commit');
    expect(await waiting).toMatchObject([{ status: 'rejected', reason: { name: 'RequestLate' } }]);
    expect(await count('*', prefix)).toBe(0);
  });

  const parameters = 'text[], bigint[], boolean, int[], bigint[], uuid[], text[], jsonb, jsonb';
  it.each([
    parameters,
    'streams text[], heads bigint[], one_by_one boolean, ns int[], revisions bigint[], ids uuid[], types text[], data jsonb, metadata jsonb',
  ])(
    'is appended to by a process of a former version, which has made a function of its own: %s',
    async (its) => {
      const other = await connect(url);
      await query(url, `drop function daybook_log.append_events(${parameters})`);
      const former = `
      create or replace function daybook_log.append_events(${its})
        returns table (n int, outcome text, revision bigint, "position" bigint) language sql as $$
          select -1, 'as before', 0::bigint, 0::bigint
        $$`;
      const append = async () => {
        const none = ['{}', '{}', false, '{}', '{}', '{}', '{}', '[]', '[]'];
        const { rows } = await other.query(
          'select outcome from daybook_log.append_events($1, $2, $3, $4, $5, $6, $7, $8, $9)',
          none,
        );
        return rows[0]?.outcome;
      };
      await query(url, former);
      expect(await append()).toBe('as before');
      const prefix = freshPrefix();
      await appendAll(prefix, newEvents(2));
      expect(await count('*', prefix)).toBe(2);
      await migrateLog(url);
      expect(await append()).toBe('appended');
    },
  );

  it.each(['update daybook_log.events set data = data', 'delete from daybook_log.events'])(
    'refuses a statement: %s',
    async (statement) => {
      await appendAll(freshPrefix(), newEvents(1));
      await expect(query(url, statement)).rejects.toThrow('the log is append-only');
    },
  );

  it.each(['', ' cascade', ' restart identity'])('refuses truncate%s', async (variant) => {
    await expect(query(url, `truncate daybook_log.events${variant}`)).rejects.toThrow('append-only');
  });

  it('numbers positions without gaps, whatever failed in between', async () => {
    await appendAll(freshPrefix(), [aNewEvent(), { ...aNewEvent(), id: 'one' }, aNewEvent()]);
    await expect(store.append('taken', 7, newEvents(2))).rejects.toThrow('taken is at none');
    await appendAll(freshPrefix());
    const [row] = await query<{ gaps: number }>(
      url,
      'select (max(position) - count(*) + min(position) - 1)::int as gaps from daybook_log.events',
    );
    expect(row?.gaps).toBe(0);
  });

  // No vacuum comes to one: as long as its connection lives it would keep Postgres from freezing transaction ids.
  it('makes no temporary table for appends that are told one by one', async () => {
    await expect(store.append('elsewhere', 7, newEvents(1))).rejects.toThrow('elsewhere is at none');
    const temporary = await query(url, "select relname from pg_class where relpersistence = 't'");
    expect(temporary).toEqual([]);
  });
});

/** T1 appends and stays open, T2 appends, T1 commits, then a last event. What each subscriber was given, by name. */
async function outOfOrder(url: string, store: EventStore) {
  const [t1, t2, observer] = [await connect(url), await connect(url), await connect(url)];
  const live = record(store, { after: undefined });
  await t1.query('begin');
  const names = new Map([[await appendOn(t1), 'T1']]);
  await t2.query("set application_name = 't2'");
  const second = appendOn(t2).then((id) => names.set(id, 'T2'));
  const settled = second.then(() => live.reached(1)).then(() => []);
  await Promise.race([settled, untilSome(() => backends(url, 't2', true))]);
  const visible = (await observer.query('select id from daybook_log.events')).rows.length;
  const between = record(store, { after: undefined });
  if (visible > 0) await between.reached(1);
  await t1.query('commit');
  await second;
  names.set(await appendOn(observer), 'last');
  const isLast = ({ id }: { id: string }) => names.get(id) === 'last';
  await expect.poll(() => [live, between].every(({ events }) => events.some(isLast)), polling).toBe(true);
  const namesOf = (ids: readonly string[]) => ids.map((id) => names.get(id));
  return { visible, live: namesOf(idsOf(live.events)), between: namesOf(idsOf(between.events)) };
}
const polling = { timeout: patienceMs };

describe('transactions that commit out of order', () => {
  const withStore = async (work: (url: string, store: EventStore) => Promise<void>) => {
    const url = await createDatabase();
    const store = await postgresEventStore(url, log);
    await work(url, store).finally(() => store.close());
  };

  it('do not exist, since the second waits for the first', () =>
    withStore(async (url, store) => {
      const all = ['T1', 'T2', 'last'];
      expect(await outOfOrder(url, store)).toEqual({ visible: 0, live: all, between: all });
    }));

  it('would fail each other without the lock', () =>
    withStore(async (url, store) => {
      await unlockAppend(url);
      await expect(outOfOrder(url, store)).rejects.toThrow('duplicate key');
    }));

  it('would be skipped without the lock if positions came from a sequence', () =>
    withStore(async (url, store) => {
      await query(url, 'create sequence daybook_log.positions');
      await unlockAppend(url, "nextval('daybook_log.positions') - 1");
      const skipped = ['T2', 'last'];
      expect(await outOfOrder(url, store)).toEqual({ visible: 1, live: skipped, between: skipped });
    }));
});

describe('the Postgres log when connections break', () => {
  let url: string;
  let store: EventStore;
  beforeAll(async () => {
    url = await createDatabase();
    store = await postgresEventStore(url, log, patient);
  });
  afterAll(() => store.close());

  const listener = () => backends(url, 'daybook-listen');
  const blocked = () => backends(url, 'daybook-log', true);
  /** Keeps every append waiting until it is called. */
  const holdAppends = async () => {
    const client = await connect(url);
    await client.query(`select pg_advisory_lock(hashtext('daybook_log'))`);
    return () => client.query('select pg_advisory_unlock_all()');
  };

  it('goes on giving events after the listening connection was killed', async () => {
    const prefix = freshPrefix();
    const recording = record(store, { after: undefined, streamPrefixes: [prefix] });
    const killed = await untilSome(listener);
    await terminate(url, killed);
    await store.append(`${prefix}a`, 'none', newEvents(1));
    await recording.reached(1);
    const again = async () => (await listener()).filter((pid) => !killed.includes(pid));
    expect(await untilSome(again)).toHaveLength(1);
    await recording.stop();
  });

  it('fails an append whose connection was lost, so that it can be repeated', async () => {
    const release = await holdAppends();
    const events = newEvents(2);
    const lost = expect(store.append('lost', 'none', events)).rejects.toThrow('terminat');
    await terminate(url, await untilSome(blocked));
    await lost;
    await release();
    expect(await store.append('lost', 'none', events)).toMatchObject({ revision: 1 });
    expect(idsOf(await store.read('lost'))).toEqual(idsOf(events));
  });

  it('knows what is sent again by its ids and hashes, and takes what comes with it', async () => {
    const hashed = (hash: string, events = newEvents(2)) =>
      events.map((event) => ({ ...event, metadata: { ...event.metadata, hash } }));
    const sent = hashed('a');
    await store.append('known', 'none', sent);
    const together = [
      store.append('new', 'none', newEvents(3)),
      store.append('known', 'none', sent),
      store.append('known', 'none', hashed('b', sent)).catch(() => 'conflict'),
    ];
    const outcomes = await Promise.all(together);
    expect(outcomes).toMatchObject([{ revision: 2 }, { revision: 1 }, 'conflict']);
    expect(await store.read('known')).toHaveLength(2);
  });

  it('repeats each append of a group whose connection was lost', async () => {
    const release = await holdAppends();
    const first = store.append('first', 'none', newEvents(1)).catch(() => 'lost');
    const [alone = 0] = await untilSome(blocked);
    const group = newEvents(20).map((event, n) => store.append(`group-${n}`, 'none', [event]));
    await terminate(url, [alone]);
    expect(await first).toBe('lost');
    await terminate(url, await untilSome(blocked));
    await untilSome(blocked);
    await release();
    const revisions = (await Promise.all(group)).map(({ revision }) => revision);
    expect(revisions).toEqual(Array(20).fill(0));
  });
});
