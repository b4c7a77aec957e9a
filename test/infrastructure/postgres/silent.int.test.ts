import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { isStoreAway } from '../../../src/infrastructure/postgres/away.ts';
import { openListening } from '../../../src/infrastructure/postgres/listen.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { createDatabase, query } from '../../support/postgres/database.ts';
import { eventually } from '../../support/resources/flows.ts';
import { lineTo } from '../../support/servers/line.ts';

/** Long enough for a server that is there, however busy its machine; each test waits for it once in vain. */
const patientMs = 3_000;

let url: string;
beforeAll(async () => {
  url = await createDatabase();
});
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => error,
  );

describe('a connection that listens', () => {
  it('is replaced when its line is cut, and hears again', async () => {
    const line = await lineTo(url);
    const listening = openListening(line.url, createLog('silent'));
    onTestFinished(() => listening.stop());
    const heard: (string | undefined)[] = [];
    listening.on('news', (text) => void heard.push(text));
    await eventually(
      async () => heard.length,
      (count) => count > 0,
    );
    line.cut();
    await eventually(
      async () => {
        await query(url, `select pg_notify('news', 'after')`);
        return heard;
      },
      (all) => all.includes('after'),
    );
  });
});

describe('a pool whose line is cut', () => {
  it('fails what waits for an answer, and answers by new connections', async () => {
    const line = await lineTo(url);
    const pool = createPool({ url: line.url, max: 2, name: 'cut', statementMaxMs: patientMs });
    onTestFinished(() => pool.end());
    await pool.query('select 1');
    line.cut();
    const error = await caught(pool.query('select 2'));
    expect(isStoreAway(error)).toBe(true);
    await eventually(
      () => caught(pool.query('select 3')),
      (failure) => failure === undefined,
    );
  });

  it('does so for a client that was taken out, which is not given to the next', async () => {
    const line = await lineTo(url);
    const pool = createPool({ url: line.url, max: 1, name: 'cut', statementMaxMs: patientMs });
    onTestFinished(() => pool.end());
    const client = await pool.connect();
    line.cut();
    expect(isStoreAway(await caught(client.query('select 1')))).toBe(true);
    client.release();
    await eventually(
      () => caught(pool.query('select 2')),
      (failure) => failure === undefined,
    );
  });

  it('uses none of the connections again that were there before, whoever asks and how', async () => {
    const line = await lineTo(url);
    const pool = createPool({ url: line.url, max: 4, name: 'cut', statementMaxMs: patientMs });
    onTestFinished(() => pool.end());
    const ids = async () => {
      const clients = await Promise.all([0, 1, 2, 3].map(() => pool.connect()));
      const answers = await Promise.all(
        clients.map((client) => client.query<{ id: number }>('select pg_backend_pid() as id')),
      );
      for (const client of clients) client.release();
      return answers.flatMap(({ rows }) => rows.map(({ id }) => id));
    };
    const before = await ids();
    line.cut();
    expect(isStoreAway(await caught(pool.query('select 1')))).toBe(true);
    // One statement has found out; no other one has to.
    await eventually(
      () => caught(pool.query('select 2')),
      (failure) => failure === undefined || !String(failure).includes('has just let a statement wait'),
    );
    expect(await caught(pool.query('select 3'))).toBeUndefined();
    const after = await ids();
    expect(after).toHaveLength(4);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
  });

  it('lets nobody wait for a server that has just let somebody wait', async () => {
    const line = await lineTo(url);
    const pool = createPool({ url: line.url, max: 1, name: 'cut', statementMaxMs: patientMs });
    onTestFinished(() => pool.end());
    await pool.query('select 1');
    line.cutForGood();
    await caught(pool.query('select 2'));
    expect(String(await caught(pool.query('select 3')))).toContain('has just let a statement wait in vain');
  });
});

describe('a pool that ends', () => {
  it('does not wait for the other end of a line that is cut', async () => {
    const line = await lineTo(url);
    const pool = createPool({ url: line.url, max: 1, name: 'ending' });
    await pool.query('select 1');
    line.cutForGood();
    await pool.end();
    expect(pool.totalCount).toBe(0);
  });
});

describe('statements', () => {
  it('end at their deadline, and the connection serves the next', async () => {
    const pool = createPool({ url, max: 1, name: 'slow', statementMaxMs: patientMs });
    onTestFinished(() => pool.end());
    // What a busy server ends late counts as not answered.
    await eventually(
      () => caught(pool.query('select pg_sleep(60)')),
      (error) => error instanceof pg.DatabaseError && error.code === '57014',
    );
    expect((await pool.query('select 7::int as n')).rows).toEqual([{ n: 7 }]);
  });

  it('wait for a connection for a bounded time', async () => {
    const pool = createPool({ url, max: 1, name: 'busy', waitMaxMs: patientMs });
    onTestFinished(() => pool.end());
    const client = await pool.connect();
    expect(isStoreAway(await caught(pool.query('select 1')))).toBe(true);
    client.release();
    expect(await caught(pool.query('select 1'))).toBeUndefined();
  });

  it('of operators have no deadline', async () => {
    const pool = createPool({ url, max: 1, name: 'operator', statementMaxMs: 0 });
    onTestFinished(() => pool.end());
    const { rows } = await pool.query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '0' }]);
  });
});
