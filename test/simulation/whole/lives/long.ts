/** Long lives in which everything fails that can, wherever the log is: no rule is broken in any, and a seed gives one life. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from '../../../../src/kernel/json.ts';
import { manyLivesMs } from '../../../support/time/patience.ts';
import { givenSeed } from '../../../support/values/property.ts';
import { firstSteps } from '../../life.ts';
import type { Fault } from '../faults.ts';
import { live } from '../life.ts';
import { type Server, startServer } from '../ports/database/postgres.ts';
import type { Outside } from '../ports/elsewhere/outside.ts';
import type { LogName } from '../ports/log/place.ts';
import { tryOut } from '../rules/rules.ts';

const newSeed = Date.now() % 2 ** 32;
const steps = firstSteps(100);

type Lives = {
  readonly log: LogName;
  readonly outside?: Outside;
  /** So many lives are the same every time; one more is one that nobody has seen. `SEED=…` brings one of them back. */
  readonly usual: number;
  /** Some faults need something rare: a check that takes longer, or an endpoint that is gone. */
  readonly livesMax: number;
  /** All of these are come across. */
  readonly faults: readonly Fault[];
  /** Seeds that are lived twice. */
  readonly twice: readonly number[];
};

/** Returns the server on which they are lived, while they are. */
export function keepRulesIn({ log, outside = 'ports', usual, livesMax, faults, twice }: Lives): () => Server {
  const seeds = givenSeed === undefined ? [...Array(usual).keys(), newSeed] : [givenSeed];
  const struck = new Set<string>();
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  async function livesThrough(seed: number): Promise<void> {
    const { violations, evidence } = await tryOut(server, { seed, steps, log, outside });
    expect(violations).toEqual([]);
    for (const fault of evidence?.struck.keys() ?? []) struck.add(fault);
  }

  describe(`a simulated installation with its log in ${log}, and others at its ${outside}`, () => {
    it.each(seeds)('keeps every rule, whatever happens (SEED=%i)', async (seed) => {
      await livesThrough(seed);
    });

    it.runIf(givenSeed === undefined)(
      'comes across every fault, where need be in a few lives more',
      { timeout: manyLivesMs },
      async () => {
        const missing = () => faults.filter((fault) => !struck.has(fault));
        for (let seed = usual; seed < livesMax && missing().length > 0; seed++) await livesThrough(seed);
        expect(missing()).toEqual([]);
      },
    );
  });

  describe(`the seed of an installation with its log in ${log}, and others at its ${outside}`, () => {
    it.each(twice)(
      'gives the same log, rows, webhooks, mails and files, byte for byte (SEED=%i)',
      async (seed) => {
        const hashes: string[] = [];
        for (const _ of [1, 2]) {
          const life = await live(server, { seed, steps: firstSteps(60), log, outside });
          const { stored, rows, received, bank, mails, toldByRail } = life;
          const told = stringify({ stored, rows, received, bank, mails, toldByRail });
          hashes.push(createHash('sha256').update(told).digest('hex'));
        }
        expect(hashes[1]).toBe(hashes[0]);
      },
    );
  });
  return () => server;
}
