/** The same for money that comes in, and for what others do for a customer: an agent, or a device by a signature. */
import { describe, it } from 'vitest';
import { sweepMaxMs, sweepOfTests } from '../support/sweep/killed.ts';
import type { WayName } from '../support/sweep/ways.ts';

const ways: readonly WayName[] = [
  'a deposit',
  'a payment from outside',
  'a quote that is paid from outside',
  "an agent's transfer out",
  "an agent's transfer out that is approved",
  'a quote that a wallet signs',
  // From here on the platform is asked.
  'a payment from outside that is approved',
];

describe('where the service is killed at each call while money comes in, or somebody acts for a customer', () => {
  const killed = sweepOfTests();
  it.each(ways)('%s is made once, and the books add up', (way) => killed('service', way), sweepMaxMs);
});
