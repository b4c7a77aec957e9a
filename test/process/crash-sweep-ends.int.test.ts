/** The same for payments whose money comes back, and for those that stay in the house. */
import { describe, it } from 'vitest';
import { sweepMaxMs, sweepOfTests } from '../support/sweep/killed.ts';
import type { WayName } from '../support/sweep/ways.ts';

const ways: readonly WayName[] = [
  'a transfer out that the bank rejects',
  'a quote whose payment is sent back',
  'a payment to another customer',
];

describe('where the service is killed at each call until the money is back, or with another customer', () => {
  const killed = sweepOfTests();
  it.each(ways)('%s is made once, and the books add up', (way) => killed('service', way), sweepMaxMs);
});
