/** Each call to the database that a payment leads to is once answered with a `kill -9` of the process that serves it. */
import { describe, it } from 'vitest';
import { sweepMaxMs, sweepOfTests } from '../support/sweep/killed.ts';
import { sweepOfRun } from '../support/sweep/sweep.ts';
import { type WayName, ways } from '../support/sweep/ways.ts';

/** A server takes a second or two to come back each time: the others have their turn where all calls have. */
const sample: readonly WayName[] = ['a transfer out', 'a quote that pays at once'];
const others = (Object.keys(ways) as WayName[]).filter(
  (way) => !sample.includes(way) && way !== 'a payment from outside that is approved',
);
// From the last one on the platform is asked.
const all: readonly WayName[] = [...sample, ...others, 'a payment from outside that is approved'];

describe('where the database is killed at each call', () => {
  const killed = sweepOfTests();
  it.each(sweepOfRun === 'all' ? all : sample)(
    '%s is made once, and the books add up',
    (way) => killed('database', way),
    sweepMaxMs,
  );
});
