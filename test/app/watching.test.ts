import { expect, it } from 'vitest';
import { watching } from '../../src/app/parts/rails.ts';
import { StoreAway } from '../../src/infrastructure/away.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';

it('a rail whose own network fails is told of as that, and begins again; a store that is away is passed on', async () => {
  const lines: object[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const core = { log };
  const { signal } = new AbortController();
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const watch = watching(core, { watch: () => Promise.reject(refused) });
  await watch(signal);
  await watch(signal);
  expect(lines).toMatchObject([{ msg: 'the rail looks after nothing; trying again' }]);
  expect(lines[0]).not.toHaveProperty('variable');
  const away = new StoreAway('the database is away');
  await expect(watching(core, { watch: () => Promise.reject(away) })(signal)).rejects.toBe(away);
  await watching(core, {})(signal);
});

it('a rail that is an object of a class has its own fields in what it looks after', async () => {
  class Bank {
    readonly seen: string[] = [];
    async watch() {
      this.seen.push('a statement');
    }
  }
  const bank = new Bank();
  await watching({ log: createLog('silent') }, bank)(new AbortController().signal);
  expect(bank.seen).toEqual(['a statement']);
});
