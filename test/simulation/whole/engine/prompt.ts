/** For tests of one port: nobody waits, and nothing goes wrong. */

import type { Faults } from '../faults.ts';
import type { Turns } from './turns.ts';

export const promptTurns: Turns = {
  wait: (_, go) => void go(),
  stir: () => undefined,
  forget: () => undefined,
  take: async () => false,
  end: () => undefined,
};
export const noFaults: Faults = { strikes: () => false, stop: () => undefined, struck: new Map() };
