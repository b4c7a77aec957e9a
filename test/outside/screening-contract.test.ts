/** What a screening promises, kept by each that is used in tests, too. */
import { describe, expect, it, onTestFinished } from 'vitest';
import exampleScreening from '../../docs/examples/my-screening.ts';
import type { Screening, Verdict } from '../../src/domain/ports/screening.ts';
import { systemIds } from '../../src/kernel/ids.ts';
import { sandboxScreening } from '../../src/sandbox/screening.ts';
import { randomFrom } from '../simulation/random.ts';
import { beginProcess, runAs } from '../simulation/whole/engine/process.ts';
import { noFaults, promptTurns } from '../simulation/whole/engine/prompt.ts';
import { routeConnections } from '../simulation/whole/ports/elsewhere/route.ts';
import { screeningService } from '../simulation/whole/ports/elsewhere/screening-service.ts';
import { type Desk, openScreening, type Way } from '../simulation/whole/ports/screening.ts';
import { activeCustomer } from '../support/builders/customers.ts';
import { screenedCustomer, screenedOwner } from '../support/builders/verification.ts';
import { railContext } from '../support/rails/rail-modules.ts';
import { eventually } from '../support/resources/flows.ts';
import { testStart } from '../support/time/clock.ts';
import { patienceMs } from '../support/time/patience.ts';

const asked = () => ({ signal: AbortSignal.timeout(patienceMs) });
const { process } = beginProcess('one');

/** As in lives in which nothing goes wrong and nobody waits. */
function simulated(
  decided: () => Promise<'recorded' | 'unknown'> = async () => 'recorded',
  seed = 1,
  wayOf?: (desk: Desk) => Way,
) {
  let now = testStart.getTime();
  const screening = openScreening({
    turns: promptTurns,
    faults: noFaults,
    random: randomFrom(seed),
    now: () => now,
    logEnd: async () => 0n,
    wayOf,
  });
  const pass = (ms: number) => {
    now += ms;
    screening.work();
  };
  return { ...screening, pass, connected: screening.of(process)({ decided }) };
}

/** The same by the connector of the service. */
function simulatedOverHttp(): Screening {
  const service = screeningService({
    ...{ faults: noFaults, random: randomFrom(1), now: () => testStart.getTime(), newId: systemIds.uuid },
    post: async () => undefined,
    changed: (original) => original,
  });
  const { connected, places } = simulated(undefined, 1, service);
  const { end } = routeConnections({ turns: promptTurns, places });
  onTestFinished(end);
  return {
    customer: (...of) => runAs(process, () => connected.customer(...of)),
    owner: (...of) => runAs(process, () => connected.owner(...of)),
  };
}

const someCustomers = ['Ada Lovelace', 'Grace Hopper', 'Mallory'].map((fullName) =>
  screenedCustomer(activeCustomer({ fullName })),
);
const someOwners = ['Lovelace', 'Lovelace001', 'Lovelace002', 'Mallory'].map((name) => screenedOwner(name));

const screenings: readonly (readonly [string, () => Screening | Promise<Screening>])[] = [
  ['the sandbox', () => sandboxScreening],
  [
    'the example module',
    () =>
      exampleScreening({
        ...railContext({ settings: { REFUSED: 'Mallory' } }),
        reports: { decided: async () => 'recorded' },
      }),
  ],
  ['the screening of the simulation', () => simulated().connected],
  ['the screening of the simulation over HTTP', simulatedOverHttp],
];

describe.each(screenings)('%s as a screening', (_, open) => {
  it('finds of a customer what it has found before', async () => {
    const screening = await open();
    for (const customer of someCustomers) {
      const found = await screening.customer(customer, asked());
      expect(await screening.customer(customer, asked())).toBe(found);
      expect(['APPROVED', 'REJECTED', 'PENDING', undefined]).toContain(found);
    }
  });

  it('finds of an owner what it has found before', async () => {
    const screening = await open();
    for (const owner of someOwners) {
      const found = await screening.owner(owner, asked());
      expect(await screening.owner(owner, asked())).toBe(found);
      expect(['APPROVED', 'REJECTED', 'PENDING']).toContain(found);
    }
  });
});

describe('the screening of the simulation', () => {
  it('tells a verdict on what it has left open, until somebody knows what it is about', async () => {
    const answers: ('recorded' | 'unknown')[] = ['unknown', 'unknown', 'recorded'];
    const open = [...Array(20).keys()].map((seed) =>
      simulated(async () => answers.shift() ?? 'recorded', seed),
    );
    const [customer] = someCustomers;
    if (!customer) throw new Error('there is no customer');
    const left = open.find(({ findingOf }) => findingOf(customer.verificationId) === undefined);
    await left?.connected.customer(customer, asked());
    expect(left?.isWaiting()).toBe(true);
    await eventually(
      async () => {
        left?.pass(20_000);
        return left?.isWaiting();
      },
      (isWaiting) => !isWaiting,
    );
    const told: readonly Verdict[] = left?.told.map(({ verdict }) => verdict) ?? [];
    expect([answers, told.length]).toEqual([[], 1]);
  });

  it('leaves nothing open that it has ended', async () => {
    const ended = [...Array(20).keys()]
      .map((seed) => simulated(undefined, seed))
      .find(
        ({ findingOf }) => findingOf(someCustomers[0]?.verificationId ?? systemIds.uuid()) === 'APPROVED',
      );
    await ended?.connected.customer(someCustomers[0] as never, asked());
    expect(ended?.isWaiting()).toBe(false);
  });
});
