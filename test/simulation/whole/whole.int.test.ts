/** Whole installations live many lives in which everything fails that can; no rule is broken in any of them. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from '../../../src/kernel/json.ts';
import { givenSeed } from '../../support/values/property.ts';
import { firstSteps } from '../life.ts';
import { allFaults, usualFaults } from './faults.ts';
import { live } from './life.ts';
import { type Server, startServer } from './ports/postgres.ts';
import { tryOut } from './rules/rules.ts';

const newSeed = Date.now() % 2 ** 32;
/** The same lives every time, and one that nobody has seen; `SEED=…` brings one of them back. */
const usual = 8;
const seeds = givenSeed === undefined ? [...Array(usual).keys(), newSeed] : [givenSeed];
const steps = firstSteps(100);
/** Some faults need something rare: a check that takes longer, or an endpoint that is gone. */
const livesMax = 24;
const struck = new Set<string>();

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

async function livesThrough(seed: number): Promise<void> {
  const { violations, evidence } = await tryOut(server, { seed, steps });
  expect(violations).toEqual([]);
  for (const fault of evidence?.struck.keys() ?? []) struck.add(fault);
}

describe('a simulated installation', () => {
  it.each(seeds)('keeps every rule, whatever happens (SEED=%i)', async (seed) => {
    await livesThrough(seed);
  });

  it.runIf(givenSeed === undefined)(
    'comes across every fault, where need be in a few lives more',
    async () => {
      const missing = () => usualFaults.filter((fault) => !struck.has(fault));
      for (let seed = usual; seed < livesMax && missing().length > 0; seed++) await livesThrough(seed);
      expect(missing()).toEqual([]);
    },
  );
});

describe('the seed of an installation', () => {
  it.each([4, 7])(
    'gives the same log, rows, webhooks, mails and files, byte for byte (SEED=%i)',
    async (seed) => {
      const hashes: string[] = [];
      for (const _ of [1, 2]) {
        const { stored, rows, received, bank, mails } = await live(server, { seed, steps: firstSteps(60) });
        hashes.push(
          createHash('sha256').update(stringify({ stored, rows, received, bank, mails })).digest('hex'),
        );
      }
      expect(hashes[1]).toBe(hashes[0]);
    },
  );

  it('gives a life without any fault, too', async () => {
    const { violations, evidence } = await tryOut(server, {
      seed: 7,
      steps: firstSteps(40),
      without: allFaults,
    });
    expect(violations).toEqual([]);
    expect(evidence?.struck.size).toBe(0);
  });
});
