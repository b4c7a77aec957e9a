/** What a platform is told of its clock where it goes back to a snapshot meanwhile. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, it } from 'vitest';
import { Rejected } from '../../src/kernel/rejected.ts';
import { createPlatformClocks } from '../../src/workers/platform-clocks/platform-clocks.ts';
import { clockOf } from '../support/builders/platform-clocks.ts';
import { testStart } from '../support/time/clock.ts';

const { platformId } = clockOf;

const noRows = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Clocks of which the log, when it is asked how one stands, has the way back already. */
function restoredMeanwhile() {
  let isBack = false;
  const requireSame = () => {
    if (isBack) throw new Rejected('SERVICE_UNAVAILABLE', 'The platform has gone back.');
  };
  const frozen = { status: 'FROZEN', at: testStart };
  const clocks = createPlatformClocks({
    commands: {
      run: async () => ({ state: frozen, events: [], position: undefined }),
      load: async () => {
        isBack = true;
        return { status: 'FOLLOWING' };
      },
    },
    times: { nowOf: () => testStart, installationTime: () => testStart },
    readDb: noRows,
    installationNow: () => testStart,
  } as never);
  const cause = { platformId, correlationId: 'c', causationId: 'c', actor: 'test', requireSame };
  return { clocks, cause };
}

it('is not told how the clock stands after that, as if it had been stopped, or let go on', async () => {
  const back = { code: 'SERVICE_UNAVAILABLE' };
  const freezing = restoredMeanwhile();
  await expect(freezing.clocks.freeze(platformId, undefined, freezing.cause)).rejects.toMatchObject(back);
  const resuming = restoredMeanwhile();
  await expect(resuming.clocks.resume(platformId, resuming.cause)).rejects.toMatchObject(back);
});
