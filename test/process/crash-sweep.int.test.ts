/** Each call to the database that a payment leads to is once the last one before a `kill -9` of the service. */
import { describe, it } from 'vitest';
import { sweepMaxMs, sweepOfTests } from '../support/sweep/killed.ts';
import type { WayName } from '../support/sweep/ways.ts';

const ways: readonly WayName[] = [
  'a transfer in',
  'a transfer out',
  'a quote that pays at once',
  'a quote that is executed',
];

describe('where the service is killed at each call', () => {
  const killed = sweepOfTests();
  it.each(ways)('%s is made once, and the books add up', (way) => killed('service', way), sweepMaxMs);
});
