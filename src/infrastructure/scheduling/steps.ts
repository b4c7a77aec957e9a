import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../postgres/pool.ts';

export const stepMax = 1_000;
const stepsMax = 100;
const pauseMs = 10;

/**
 * Does much in steps of at most `stepMax`, with pauses for other work, until a step says that it has found less. Ends
 * after `stepsMax` steps all the same: the next turn goes on. Returns how much was done.
 */
export async function inSteps(step: (max: number) => Promise<number>): Promise<number> {
  let sum = 0;
  for (let n = 0; n < stepsMax; n++) {
    const done = await step(stepMax);
    sum += done;
    if (done < stepMax) break;
    await sleep(pauseMs);
  }
  return sum;
}

/** The same by a statement that deletes, whose last parameter is how many rows it may take. */
export const forgetInSteps = (
  pool: Pick<Pool, 'query'>,
  statement: string,
  values: readonly unknown[],
): Promise<number> => inSteps(async (max) => (await pool.query(statement, [...values, max])).rowCount ?? 0);
