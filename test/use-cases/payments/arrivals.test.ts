import { describe, expect, it } from 'vitest';
import type { Commands } from '../../../src/use-cases/commands.ts';
import { createArrivals } from '../../../src/use-cases/payments/arrivals.ts';
import { transactionId } from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { stillClock } from '../../support/time/movable-clock.ts';

/** An installation that has booked 5.00 USD under every reference. */
const booked = { status: 'COMPLETED', terms: { transactionId, sending: usd(500n) } };
const commands = { load: async () => booked } as unknown as Commands;
const arrived = createArrivals({ commands, ...stillClock() } as unknown as Parameters<
  typeof createArrivals
>[0]);
const tell = (amount = usd(500n)) =>
  arrived({ bankReference: 'E2E-1', amount, named: [], isOnStatement: true });

describe('money that a statement tells of again', () => {
  it('is known where it is what was booked', async () => {
    expect(await tell()).toEqual({ status: 'known', transactionId });
  });

  it.each([
    ['amount', usd(501n)],
    ['currency', { minor: 500n, currency: 'EUR' }],
  ])(
    'is not taken for what was booked in another %s, which would hide it from an operator',
    async (_of, other) => {
      expect(await tell(other)).toMatchObject({ status: 'refused', stays: true });
    },
  );
});
