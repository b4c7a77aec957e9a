import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createReadDb } from '../../../projections/database.ts';
import { migrateBooks } from '../../../projections/migrations/migrate.ts';
import { openLeases, retryMs } from '../../../src/infrastructure/jobs/lease.ts';
import { openLine } from '../../../src/infrastructure/jobs/lease-line.ts';
import { pause } from '../../../src/infrastructure/jobs/pause.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { backends, terminate, untilSome } from '../../support/log/raw-log.ts';
import { createDatabase, query } from '../../support/postgres/database.ts';
import { eventually } from '../../support/resources/flows.ts';
import { patienceMs } from '../../support/time/patience.ts';

const log = createLog('silent');
let url: string;
beforeAll(async () => {
  url = await createDatabase();
  const db = createReadDb(createPool({ url, max: 1, name: 'test-leases' }));
  await migrateBooks(db).finally(() => db.destroy());
});

/** They pass on for nothing but what a test does. */
const patientLeases = () => openLeases(url, log, retryMs, { leaseMs: patienceMs, answerMaxMs: patienceMs });

/** Several who want one lease, and a record of who held it when. */
function contend(name: string, who: readonly string[]) {
  const owners = new Set<string>();
  const terms: string[] = [];
  let mostAtOnce = 0;
  const contenders = who.map((one) => {
    const lease = patientLeases().hold(name, async ({ signal }) => {
      owners.add(one);
      terms.push(one);
      mostAtOnce = Math.max(mostAtOnce, owners.size);
      while (!signal.aborted) await pause(1_000, signal);
      owners.delete(one);
    });
    onTestFinished(() => lease.stop());
    return [one, lease] as const;
  });
  return { owners, terms, most: () => mostAtOnce, leases: new Map(contenders) };
}

const untilOwned = ({ owners }: ReturnType<typeof contend>, previous?: string): Promise<string> =>
  eventually(
    async () => [...owners][0] ?? '',
    (owner) => owner !== '' && owner !== previous,
  );

/** The connection of whoever holds it. */
const holders = async (name: string) =>
  (
    await query<{ pid: number }>(
      url,
      `select pid from pg_stat_activity join daybook.leases using (pid) where name = $1`,
      [name],
    )
  ).map(({ pid }) => pid);

describe('a lease', () => {
  it('has one owner among three contenders', async () => {
    const contest = contend('given-up', ['a', 'b', 'c']);
    const seen: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const owner = await untilOwned(contest);
      seen.push(owner);
      await contest.leases.get(owner)?.stop();
    }
    expect(seen.sort()).toEqual(['a', 'b', 'c']);
    expect(contest.most()).toBe(1);
  });

  it('is handed over when the connection of its owner is killed', async () => {
    const contest = contend('killed', ['a', 'b', 'c']);
    const first = await untilOwned(contest);
    await terminate(url, await untilSome(() => holders('killed')));
    await eventually(
      async () => contest.owners.has(first),
      (isHolding) => !isHolding,
    );
    await untilOwned(contest);
    expect(contest.terms).toHaveLength(2);
    expect(contest.most()).toBe(1);
  });

  it('is separate from leases of other names', async () => {
    const [one, other] = [contend('one', ['a']), contend('other', ['b'])];
    expect([await untilOwned(one), await untilOwned(other)]).toEqual(['a', 'b']);
  });

  it('is tried again when the work fails or ends by itself', async () => {
    let runs = 0;
    const lease = patientLeases().hold('failing', async () => {
      runs += 1;
      if (runs === 1) throw new Error('the work broke');
    });
    onTestFinished(() => lease.stop());
    await eventually(
      async () => runs,
      (count) => count >= 3,
    );
  });

  it('stops while it waits for its turn without a connection left', async () => {
    const contest = contend('stopped', ['a', 'b']);
    const owner = await untilOwned(contest);
    await Promise.all([...contest.leases.values()].map((lease) => lease.stop()));
    expect(contest.terms).toEqual([owner]);
    await eventually(
      () => holders('stopped'),
      ({ length }) => length === 0,
    );
  });

  it('stops while the database cannot be reached', async () => {
    const lease = openLeases('postgres://nobody@127.0.0.1:1/none', log).hold('far', async () => undefined);
    await sleep(20);
    await lease.stop();
  });
});

describe('the leases of one process', () => {
  const names = ['first', 'second', 'third'];
  const connections = () => backends(url, 'daybook-leases');

  it('are held on one connection, which ends with the last of them', async () => {
    await eventually(connections, ({ length }) => length === 0);
    const held = new Set<string>();
    const leases = patientLeases();
    const all = names.map((name) =>
      leases.hold(name, async ({ signal }) => {
        held.add(name);
        await pause(60_000, signal);
        held.delete(name);
      }),
    );
    await eventually(
      async () => held.size,
      (size) => size === names.length,
    );
    expect(await connections()).toHaveLength(1);
    await all[0]?.stop();
    expect([...held].sort()).toEqual(['second', 'third']);
    const next = contend('first', ['other process']);
    await untilOwned(next);
    expect([...held].sort()).toEqual(['second', 'third']);
    await Promise.all([...all, ...next.leases.values()].map((lease) => lease.stop()));
    await eventually(connections, ({ length }) => length === 0);
  });

  it('are all lost with it, and taken again on the next one', async () => {
    const leases = patientLeases();
    const terms: string[] = [];
    for (const name of names) {
      const lease = leases.hold(name, async ({ signal }) => {
        terms.push(name);
        await pause(60_000, signal);
      });
      onTestFinished(() => lease.stop());
    }
    await eventually(
      async () => terms.length,
      (count) => count === 3,
    );
    await terminate(url, await untilSome(connections));
    await eventually(
      async () => terms.length,
      (count) => count === 6,
    );
    expect(await connections()).toHaveLength(1);
    expect(terms.slice(3).sort()).toEqual(names);
  });
});

describe('the terms of a lease', () => {
  const tokensOf = (name: string) =>
    query<{ token: string }>(url, 'select token from daybook.leases where name = $1', [name]);

  it('have tokens that grow, one after the other', async () => {
    const tokens: bigint[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const lease = patientLeases().hold('growing', async ({ token, signal }) => {
        tokens.push(token);
        await pause(60_000, signal);
      });
      await eventually(
        async () => tokens.length,
        (count) => count > turn,
      );
      await lease.stop();
    }
    expect(tokens).toEqual([1n, 2n, 3n]);
  });

  it('end for a holder whose renewal finds another', async () => {
    const held: (() => boolean)[] = [];
    const lease = patientLeases().hold('taken', async ({ isHeld, signal }) => {
      held.push(isHeld);
      await pause(60_000, signal);
    });
    onTestFinished(() => lease.stop());
    await eventually(
      async () => held.length,
      (count) => count > 0,
    );
    expect(held[0]?.()).toBe(true);
    await query(url, `update daybook.leases set token = token + 7 where name = 'taken'`);
    await eventually(
      async () => held[0]?.(),
      (isHeld) => isHeld === false,
    );
    await eventually(
      async () => (await tokensOf('taken'))[0]?.token,
      (token) => token === '9',
    );
  });

  it('last from when their renewal was asked for, however late its answer comes', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const times = { leaseMs: 5_000, answerMaxMs: patienceMs };
    const line = await openLine(url, () => undefined, times);
    onTestFinished(line.close);
    const held = await line.take('late');
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('begin');
    await other.query(`select from daybook.leases where name = 'late' for update`);
    await untilSome(() => backends(url, 'daybook-leases', true));
    vi.advanceTimersByTime(times.leaseMs);
    await other.query('commit');
    // Its turn comes when the renewal is answered.
    await line.take('another');
    expect([held?.lost.aborted, held?.isHeld()]).toEqual([false, false]);
  });

  it('pass on from a holder who is connected and renews nothing', async () => {
    const holder = new pg.Client({ connectionString: url, application_name: 'daybook-lease-frozen' });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(
      `insert into daybook.leases (name, token, pid, renewed_at) values ('frozen', 4, pg_backend_pid(), clock_timestamp())`,
    );
    const tokens: bigint[] = [];
    const lease = openLeases(url, log).hold('frozen', async ({ token, signal }) => {
      tokens.push(token);
      await pause(60_000, signal);
    });
    onTestFinished(() => lease.stop());
    await eventually(
      async () => tokens,
      ([token]) => token === 5n,
    );
  });

  it('pass on although the clock of the server was set back by an hour', async () => {
    const holder = new pg.Client({ connectionString: url, application_name: 'daybook-lease-ahead' });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(
      `insert into daybook.leases (name, token, pid, renewed_at)
       values ('ahead', 1, pg_backend_pid(), clock_timestamp() + interval '1 hour')`,
    );
    const tokens: bigint[] = [];
    const lease = openLeases(url, log).hold('ahead', async ({ token, signal }) => {
      tokens.push(token);
      await pause(60_000, signal);
    });
    onTestFinished(() => lease.stop());
    await eventually(
      async () => tokens,
      ([token]) => token === 2n,
    );
  });
});
