/** Each call to the database that a payment leads to is once answered with a `kill -9` of the process that serves it. */
import { describe, it } from 'vitest';
import { sweepMaxMs, sweepOfTests } from '../support/sweep/killed.ts';

describe('where the database is killed at each call', () => {
  const killed = sweepOfTests();
  it.each(['a transfer out', 'a quote that pays at once'] as const)(
    '%s is made once, and the books add up',
    (way) => killed('database', way),
    sweepMaxMs,
  );
});
