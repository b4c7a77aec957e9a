/** Each call to the database that a payment leads to is once the last one before a `kill -9` of the service. */
import { describe, it } from 'vitest';
import { sweepMaxMs, sweepOfTests, ways } from '../support/sweep/ways.ts';

describe('where the service is killed at each call', () => {
  const killed = sweepOfTests();
  it.each(Object.keys(ways))(
    '%s is made once, and the books add up',
    (way) => killed('service', way),
    sweepMaxMs,
  );
});
