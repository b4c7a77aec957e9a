/** What lives come across, by name: faults, moves of payments, and how payments of each kind end. */
import { life } from '../../src/domain/payments/life/life.ts';
import { allFaults } from './faults.ts';
import { movesIn } from './invariants/payments.ts';
import type { Evidence } from './life.ts';

/** All that could be come across. */
export const reachable: readonly string[] = [
  ...allFaults.map((fault) => `fault: ${fault}`),
  ...Object.entries(life).flatMap(([stage, { moves }]) =>
    Object.keys(moves).map((type) => `move: ${stage}, ${type}`),
  ),
];

export function* reachedIn({ struck, finished, ended }: Evidence): Iterable<string> {
  for (const fault of struck.keys()) yield `fault: ${fault}`;
  for (const { before, event } of movesIn(finished)) yield `move: ${before.stage}, ${event.type}`;
  for (const { terms, status } of ended) yield `end: ${terms.kind} ${status}`;
}
