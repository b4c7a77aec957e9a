/** When a payment comes back that a fault returns. */
import { expect, it } from 'vitest';
import type { RailPayment } from '../../src/domain/ports/payment-rail.ts';
import type { Faults } from '../../src/sandbox/faults/faults.ts';
import { railWithFaults } from '../../src/sandbox/faults/rail.ts';
import type { SandboxRail } from '../../src/sandbox/rail.ts';
import { railPayment } from '../support/builders/rail-payments.ts';
import { testStart } from '../support/time/clock.ts';

const returnsAt = new Date(testStart.getTime() + 60_000);
const payment = (recorded: RailPayment['recorded']) => railPayment({ recorded });
const asked = { signal: new AbortController().signal };

function railAt(now: Date, returnOf: Date | undefined) {
  const settles = { statusOf: async () => ({ status: 'settled' }) } as unknown as SandboxRail;
  const faults = { hasReturns: () => true, returnOf: async () => returnOf } as unknown as Faults;
  return railWithFaults(settles, { faults, nowOf: () => now });
}

it('comes back at its time, however often it is asked about before', async () => {
  const early = railAt(testStart, returnsAt);
  for (const recorded of ['submitted', 'settled', 'settled'] as const)
    expect(await early.statusOf(payment(recorded), asked)).toEqual({ status: 'settled', checkAt: returnsAt });
  expect(await railAt(returnsAt, returnsAt).statusOf(payment('settled'), asked)).toEqual({
    status: 'returned',
    reason: 'OFFRAMP_FAILED',
  });
});

it('stays where nothing returns it', async () => {
  expect(await railAt(returnsAt, undefined).statusOf(payment('settled'), asked)).toEqual({
    status: 'settled',
  });
});
