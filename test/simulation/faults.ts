/** What goes wrong at the ports, by name, so that a life can be lived without some of it. */
import type { Random } from './random.ts';

/** How often each happens where it can. */
const chances = {
  'crash before an append': 0.01,
  'crash after an append': 0.01,
  'crash before a read': 0.005,
  'crash before the rail': 0.01,
  'crash after the rail': 0.01,
  'conflict without a cause': 0.02,
  'time-out before the commit': 0.01,
  'time-out after the commit': 0.01,
  'time-out of a read': 0.005,
  'full disk': 0.004,
  'time-out before the rail took it': 0.05,
  'time-out after the rail took it': 0.15,
  'rail asked twice': 0.05,
  'event for two owners': 0.2,
  'event late, again or out of order': 0.8,
  'job early, late or again': 0.8,
  'clock ahead': 0.1,
  'client asks again': 0.7,
} as const;

export type Fault = keyof typeof chances;
export const allFaults = Object.keys(chances) as readonly Fault[];

export type Faults = {
  /** Whether it happens now. */
  strikes(fault: Fault): boolean;
  /** How often each has happened. */
  readonly struck: ReadonlyMap<Fault, number>;
};

export function faultsOf(random: Random, without: readonly Fault[] = []): Faults {
  const struck = new Map<Fault, number>();
  return {
    struck,
    strikes(fault) {
      // The choice is made in any case: without a fault all others stay as they are.
      if (!random.chance(chances[fault]) || without.includes(fault)) return false;
      struck.set(fault, (struck.get(fault) ?? 0) + 1);
      return true;
    },
  };
}
