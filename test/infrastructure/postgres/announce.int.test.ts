import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { announcements } from '../../../src/infrastructure/postgres/announce.ts';
import { openListening } from '../../../src/infrastructure/postgres/listen.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { createDatabase } from '../../support/postgres/database.ts';
import { eventually } from '../../support/resources/flows.ts';

let url: string;
beforeAll(async () => {
  url = await createDatabase();
});

/** A process, as far as others hear of it; `told` is what it has heard, `sent` what it has told. */
function aProcess() {
  const pool = createPool({ url, max: 1, name: 'process' });
  const sent: string[] = [];
  const query = pool.query.bind(pool) as (config: { values: string[] }) => Promise<unknown>;
  const counted = (config: { values: string[] }) => {
    sent.push(config.values[1] ?? '');
    return query(config);
  };
  const listening = openListening(url, createLog('silent'));
  const told: string[] = [];
  listening.on('news', (text) => {
    if (text) told.push(text);
  });
  const { announce, stop } = announcements({ query: counted } as never, 'news', listening);
  let left: Promise<void> | undefined;
  const leave = () => {
    left ??= (async () => {
      await stop();
      await listening.stop();
      await pool.end();
    })();
    return left;
  };
  onTestFinished(leave);
  return { announce, sent, told, listening, leave };
}

const until = (condition: () => boolean) => eventually(async () => condition(), Boolean);

describe('what a process has to tell', () => {
  it('is sent to nobody while no other process listens, and to one that comes at once', async () => {
    const one = aProcess();
    await until(() => one.listening.isAlone('news'));
    one.announce('1');
    one.announce('2');
    expect(one.sent).toEqual([]);

    // What it may have missed while nobody knew that it listens.
    const other = aProcess();
    await until(() => other.told.includes('2'));
    expect(one.listening.isAlone('news')).toBe(false);
    one.announce('3');
    await until(() => other.told.includes('3'));

    // Each knows of the other, whoever came first.
    other.announce('4');
    await until(() => one.told.includes('4'));

    await other.leave();
    await until(() => one.listening.isAlone('news'));
    one.announce('5');
    expect(one.sent).not.toContain('5');
  });
});
