/** The same where a server has the log alone: what is appended and what is written to tables are not one transaction there. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from '../../../src/kernel/json.ts';
import { givenSeed } from '../../support/values/property.ts';
import { firstSteps } from '../life.ts';
import { allFaults, usualFaults } from './faults.ts';
import { live } from './life.ts';
import { type Server, startServer } from './ports/postgres.ts';
import { tryOut } from './rules/rules.ts';

const log = 'eventstoredb';
const newSeed = Date.now() % 2 ** 32;
const usual = 6;
const seeds = givenSeed === undefined ? [...Array(usual).keys(), newSeed] : [givenSeed];
const steps = firstSteps(100);
const livesMax = 16;
const ofTheServer = allFaults.filter((fault) => !usualFaults.includes(fault));
const struck = new Set<string>();

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

async function livesThrough(seed: number): Promise<void> {
  const { violations, evidence } = await tryOut(server, { seed, steps, log });
  expect(violations).toEqual([]);
  for (const fault of evidence?.struck.keys() ?? []) struck.add(fault);
}

describe('a simulated installation with its log in EventStoreDB', () => {
  it.each(seeds)('keeps every rule, whatever happens (SEED=%i)', async (seed) => {
    await livesThrough(seed);
  });

  it.runIf(givenSeed === undefined)('comes across every fault of that server', async () => {
    const missing = () => ofTheServer.filter((fault) => !struck.has(fault));
    for (let seed = usual; seed < livesMax && missing().length > 0; seed++) await livesThrough(seed);
    expect(missing()).toEqual([]);
  });

  it.each([5, 6])('is the same with the same seed, byte for byte (SEED=%i)', async (seed) => {
    const hashes: string[] = [];
    for (const _ of [1, 2]) {
      const { stored, rows, received } = await live(server, { seed, steps: firstSteps(60), log });
      hashes.push(createHash('sha256').update(stringify({ stored, rows, received })).digest('hex'));
    }
    expect(hashes[1]).toBe(hashes[0]);
  });
});
