import type pg from 'pg';
import { createSharedClock, type SharedClock } from '../../../src/infrastructure/clock/shared-clock.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';

export const hourMs = 3_600_000;

type Answer = { readonly rows: readonly { readonly server?: string }[] };

/** A database server whose clock can be put forward and back, and processes that read it. */
export function serverClock(pool: pg.Pool) {
  let [aheadMs, passedMs, suspendedMs, hostAheadMs] = [0, 0, 0, 0];
  const query = async (...given: unknown[]) => {
    const answer = await (pool.query as (...all: unknown[]) => Promise<Answer>)(...given);
    const rows = answer.rows.map((row) =>
      row.server === undefined ? row : { ...row, server: String(Number(row.server) + aheadMs) },
    );
    return { ...answer, rows };
  };
  const monotonicMs = () => performance.now() + passedMs;
  return {
    pool: { query } as unknown as pg.Pool,
    /** Nobody but the server's clock notices. */
    jump(ms: number) {
      aheadMs += ms;
    },
    /** Time passes, for everybody. */
    pass(ms: number) {
      aheadMs += ms;
      passedMs += ms;
    },
    /** The host of the processes sleeps, and the server does not. */
    suspend(ms: number) {
      aheadMs += ms;
      suspendedMs += ms;
    },
    /** Somebody sets the clock of the host. */
    setHost(ms: number) {
      hostAheadMs = ms;
    },
    process(isTold = true, log = createLog('silent')): SharedClock {
      const uptimeMs = () => monotonicMs() + (isTold ? suspendedMs : 0);
      const hostMs = () => Date.now() + passedMs + suspendedMs + hostAheadMs;
      return createSharedClock(log, { monotonicMs, uptimeMs, hostMs });
    },
  };
}
