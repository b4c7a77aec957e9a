import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createEvery } from '../../../src/infrastructure/jobs/periodic.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';

describe('work that is repeated', () => {
  it('goes on after a failure, which is counted under its name', async () => {
    const failures: string[] = [];
    const begun: string[] = [];
    const every = createEvery({
      log: createLog('silent'),
      begins: (task) => begun.push(task),
      failed: (task) => failures.push(task),
    });
    let turns = 0;
    const turned = Promise.withResolvers<void>();
    const stop = every('sweep', 1, async () => {
      turns += 1;
      if (turns === 3) turned.resolve();
      if (turns < 3) throw new Error('the table is gone');
    });
    expect(begun).toEqual(['sweep']);
    await turned.promise;
    await stop();
    expect(failures).toEqual(['sweep', 'sweep']);
  });

  it('is never done twice at a time, and its end is waited for', async () => {
    const every = createEvery({ log: createLog('silent'), begins: () => {}, failed: () => {} });
    let underWay = 0;
    let most = 0;
    const begun = Promise.withResolvers<void>();
    const stop = every('sweep', 1, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      begun.resolve();
      await sleep(30);
      underWay -= 1;
    });
    await begun.promise;
    await stop();
    expect({ most, underWay }).toEqual({ most: 1, underWay: 0 });
  });
});
