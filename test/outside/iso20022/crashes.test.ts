import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  asked,
  endToEndIdOf,
  euroPayment,
  openBank,
  payeeIban,
  paymentIdOf,
  temporaryFolder,
} from '../../support/bank/bank.ts';
import { untilStep } from '../../support/bank/dying-disk.ts';
import { entry, statement } from '../../support/bank/messages.ts';

const debitOf = (n: number) => entry({ direction: 'DBIT', reference: `D${n}`, endToEndId: endToEndIdOf(n) });
const text = statement([
  debitOf(1),
  debitOf(2),
  entry({ reference: 'RETURN', endToEndId: endToEndIdOf(2), returnCode: 'AC04' }),
  entry({ reference: 'DEPOSIT', remittance: 'DB-ABCDEFGHIJ' }),
  entry({ reference: 'CHARGES', direction: 'DBIT' }),
]);

/** Daybook's log and books: what was told before a crash stays told. */
type Heard = { endings: string[]; arrivals: string[] };

/** What Daybook does with the rail from the first payment to the last statement, begun anew after a crash. */
async function day(folder: string, heard: Heard): Promise<void> {
  const bank = await openBank({ folder });
  try {
    for (const n of [1, 2]) {
      const { status } = await bank.rail.statusOf(euroPayment(n), asked);
      if (status === 'unknown') await bank.rail.submit(euroPayment(n), asked);
    }
    await bank.rail.turn(asked.signal);
    bringOnce(folder);
    await bank.turns();
  } finally {
    heard.endings.push(...bank.told.endings.map(([id, { status }]) => `${id} ${status}`));
    heard.arrivals.push(...bank.told.arrivals.map(({ bankReference }) => bankReference));
  }
}

/** The bank takes what it is shown, at any time, and brings its statement once both payments have reached it. */
function takeOrders(folder: string): void {
  if (!existsSync(join(folder, 'out'))) return;
  mkdirSync(join(folder, 'taken'), { recursive: true });
  for (const name of readdirSync(join(folder, 'out'))) {
    expect(name).toMatch(/^(\.[^/]+\.draft|[0-9a-f]{32}\.xml)$/);
    if (name.startsWith('.')) continue;
    expect(existsSync(join(folder, 'taken', name)), 'an order is shown again').toBe(false);
    renameSync(join(folder, 'out', name), join(folder, 'taken', name));
  }
}

function bringOnce(folder: string): void {
  takeOrders(folder);
  if (existsSync(join(folder, 'brought'))) return;
  writeFileSync(join(folder, 'brought'), '');
  writeFileSync(join(folder, 'in', 'statement.xml'), text);
}

describe('a process that is killed at any of its steps', () => {
  it('sends each payment once, and books each entry once, when it is begun anew', async () => {
    let steps = 0;
    for (let isDone = false; !isDone; steps += 1) {
      const folder = temporaryFolder();
      const heard: Heard = { endings: [], arrivals: [] };
      isDone = await untilStep(steps, () => day(folder, heard));
      takeOrders(folder);
      await day(folder, heard);
      takeOrders(folder);
      expectOneOfEach(folder, heard, `stopped at step ${steps}`);
    }
    // Each fact costs several steps: with fewer, nothing was tried.
    expect(steps).toBeGreaterThan(100);
  });
});

describe('a process that is killed while it leaves money to an operator', () => {
  it('does not credit it as well, where it may when the statement is read again', async () => {
    const refused = {
      status: 'refused',
      code: 'USER_NOT_READY',
      message: 'The account is frozen.',
      stays: true,
    } as const;
    const arrived = statement([entry({ reference: 'DEPOSIT', remittance: 'DB-ABCDEFGHIJ' })]);
    const ends = new Set<string>();
    let steps = 0;
    for (let isDone = false; !isDone; steps += 1) {
      const folder = temporaryFolder();
      isDone = await untilStep(steps, async () => {
        const bank = await openBank({ folder, arrival: () => refused });
        await bank.deliver(arrived);
      });
      const bank = await openBank({ folder });
      // It may not have been there yet.
      if (!bank.names('done').includes('from-bank.xml')) await bank.deliver(arrived);
      await bank.turns();
      const [listed, credited] = [bank.cases().length, bank.told.arrivals.length];
      expect(listed + credited, `stopped at step ${steps}`).toBe(1);
      ends.add(listed > 0 ? 'listed' : 'credited');
    }
    expect([...ends].toSorted()).toEqual(['credited', 'listed']);
  });
});

function expectOneOfEach(folder: string, heard: Heard, when: string): void {
  const names = (part: string) => readdirSync(join(folder, part)).filter((name) => !name.startsWith('.'));
  const orders = names('taken').map((name) => readFileSync(join(folder, 'taken', name), 'utf8'));
  const sent = orders.flatMap((order) => [...order.matchAll(/<EndToEndId>(\w+)</g)].map(([, id]) => id));
  expect(sent.toSorted(), when).toEqual([endToEndIdOf(1), endToEndIdOf(2)]);
  expect(new Set(heard.endings), when).toEqual(
    new Set([`${paymentIdOf(1)} settled`, `${paymentIdOf(2)} settled`, `${paymentIdOf(2)} returned`]),
  );
  expect(new Set(heard.arrivals).size, when).toBe(1);
  expect(names('unmatched'), when).toHaveLength(1);
  expect([names('in'), names('done'), names('rejected')], when).toEqual([[], ['statement.xml'], []]);
  const facts = readdirSync(join(folder, 'state', 'payments'), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.first.json'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  expect(facts, when).toHaveLength(2);
  expect(facts.join(), when).not.toContain(payeeIban);
}
