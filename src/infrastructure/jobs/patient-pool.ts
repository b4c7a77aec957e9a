/** What BullMQ may have: its workers ask again the moment something has failed, however often. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../postgres/pool.ts';

/** What fails, fails so long after it began at the earliest. */
const failsAfterMs = 500;

/** What `work` comes to; its failure takes a moment. */
export const slowly = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch(async (error) => {
    await sleep(failsAfterMs);
    throw error;
  });

export type PatientPool = Pick<Pool, 'query' | 'connect' | 'end' | 'on' | 'options'>;

/** The same pool, whose failures take a moment. Calls with a callback are passed on as they are. */
export const patient = (pool: Pool): PatientPool => ({
  options: pool.options,
  on: pool.on.bind(pool) as Pool['on'],
  end: pool.end.bind(pool) as Pool['end'],
  query: ((text: string, values?: unknown[]) => slowly(pool.query(text, values))) as Pool['query'],
  connect: (() => slowly(pool.connect())) as Pool['connect'],
});
