import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RailPayment } from '../../src/domain/ports/payment-rail.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { idOf } from '../../src/kernel/ids.ts';
import { openFaults } from '../../src/sandbox/faults/faults.ts';
import { railWithFaults } from '../../src/sandbox/faults/rail.ts';
import type { Effect, Fault, FaultId } from '../../src/sandbox/faults/rules.ts';
import type { SandboxRail } from '../../src/sandbox/rail.ts';
import { platformId } from '../support/builders/identities.ts';
import { railPayment } from '../support/builders/rail-payments.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';

const clock = { now: new Date('2026-03-01T12:00:00Z') };
const nowOf = () => clock.now;
const hourMs = 3_600_000;
const later = (ms: number) => new Date(clock.now.getTime() + ms);
const asked = { signal: new AbortController().signal };

/** A process that hears nothing of others. */
async function processAt(url: string) {
  const pool: Pool = createPool({ url, max: 2, name: 'faults' });
  onTestFinished(() => pool.end());
  const listening = { on: () => () => undefined };
  const faults = await openFaults({ pool, listening, log: createLog('silent'), nowOf });
  const settling = { statusOf: async () => ({ status: 'settled' }) } as unknown as SandboxRail;
  const rail = railWithFaults(settling, { faults, nowOf });
  return { faults, statusOf: (payment: RailPayment) => rail.statusOf(payment, asked) };
}

const faultOf = (effect: Effect, more: Partial<Fault> = {}): Fault => ({
  id: `Fault:${randomUUID()}` as FaultId,
  platformId,
  match: {},
  effect,
  remaining: undefined,
  createdAt: clock.now,
  expiresAt: later(100 * hourMs),
  ...more,
});
const payment = (more: Partial<RailPayment> = {}) =>
  railPayment({ paymentId: idOf('Transaction', randomUUID()), ...more });

describe('a payment that is to come back', () => {
  it('counts once and comes back at one time, however often and by whomever it is asked about', async () => {
    const { url } = await emptyBooks();
    const [one, other] = [await processAt(url), await processAt(url)];
    const fault = faultOf({ kind: 'RETURN_PAYMENT', delayMs: hourMs }, { remaining: 2 });
    await one.faults.add(fault);
    const paid = payment();
    const [first] = await Promise.all([one.statusOf(paid), one.statusOf(paid)]);
    expect(first).toEqual({ status: 'settled', checkAt: later(hourMs) });
    expect((await one.faults.list(platformId))[0]?.remaining).toBe(1);
    clock.now = later(60_000);
    // Another process, where this one has ended before anybody heard.
    for (const { statusOf } of [one, await processAt(url)]) expect(await statusOf(paid)).toEqual(first);
    await one.faults.remove(platformId, fault.id);
    expect(await (await processAt(url)).statusOf(paid)).toEqual(first);
    const recorded = { ...paid, recorded: 'settled' } as const;
    expect(await other.statusOf(recorded)).toEqual(first);
    clock.now = later(hourMs);
    expect(await other.statusOf(recorded)).toMatchObject({ status: 'returned' });
    expect(await other.statusOf(payment({ recorded: 'settled' }))).toEqual({ status: 'settled' });
  });
});

describe('money that comes in', () => {
  it.each<readonly [string, Partial<RailPayment>]>([
    ['by a transfer in', { kind: 'transfer-in' }],
    [
      'from an address outside',
      {
        kind: 'incoming',
        counterparty: { kind: 'address', umaAddress: '$success.usd@sandbox.daybook.test' },
      },
    ],
  ])('%s is not returned, and leaves the fault for what goes out', async (_how, incoming) => {
    const { faults, statusOf } = await processAt((await emptyBooks()).url);
    await faults.add(faultOf({ kind: 'RETURN_PAYMENT', delayMs: hourMs }, { remaining: 1 }));
    expect(await statusOf(payment(incoming))).toEqual({ status: 'settled' });
    expect((await faults.list(platformId))[0]?.remaining).toBe(1);
    const goesOn = payment({ kind: 'incoming', senderUmaAddress: '$success.usd@sandbox.daybook.test' });
    expect(await statusOf(goesOn)).toEqual({ status: 'settled', checkAt: later(hourMs) });
  });
});

describe('a share of what happens', () => {
  it('is the same whatever other faults come and go, until its time is over', async () => {
    const { faults } = await processAt((await emptyBooks()).url);
    const fault = faultOf({ kind: 'DROP', when: 'BEFORE' }, { match: { percent: 40 } });
    await faults.add(fault);
    const occasion = { target: 'operation', name: 'getConfig', about: [] } as const;
    const strikes = async (count: number, between: () => Promise<unknown> = async () => undefined) => {
      const hits: boolean[] = [];
      for (let n = 0; n < count; n++) {
        hits.push((await faults.strike(platformId, occasion)) !== undefined);
        await between();
      }
      return hits;
    };
    const undisturbed = await strikes(20);
    await faults.remove(platformId, fault.id);
    await faults.add(fault);
    const another = faultOf({ kind: 'DUPLICATE_WEBHOOK' });
    const disturbed = await strikes(20, async () => {
      await faults.add(another);
      await faults.remove(platformId, another.id);
    });
    expect(disturbed).toEqual(undisturbed);
    expect(new Set(undisturbed).size).toBe(2);
    clock.now = later(200 * hourMs);
    expect(await strikes(20)).toEqual(Array.from({ length: 20 }, () => false));
  });
});
