/** What lives come across, by name: faults, moves of payments, events, and how payments of each kind end. */
import { life } from '../../src/domain/payments/life/life.ts';
import { movesIn, pairsIn } from './invariants/payments.ts';
import type { Evidence } from './life.ts';

/** All that could be come across, where these faults happen. */
export const reachable = (faults: readonly string[]): readonly string[] => [
  ...faults.map((fault) => `fault: ${fault}`),
  ...Object.entries(life).flatMap(([stage, { moves }]) =>
    Object.keys(moves).map((type) => `move: ${stage}, ${type}`),
  ),
];

type Seen = Pick<Evidence, 'finished' | 'ended'> & { readonly struck: ReadonlyMap<string, number> };

/** Each with how often it was come across. */
export function timesIn(seen: Seen): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const what of reachedIn(seen)) times.set(what, (times.get(what) ?? 0) + 1);
  return times;
}

export function* reachedIn({ struck, finished, ended }: Seen): Iterable<string> {
  for (const [fault, times] of struck) for (let n = 0; n < times; n++) yield `fault: ${fault}`;
  for (const { before, event } of movesIn(finished)) yield `move: ${before.stage}, ${event.type}`;
  for (const { terms, status } of ended) yield `end: ${terms.kind} ${status}`;
  for (const { type } of finished) yield `event: ${type}`;
  for (const { incoming, origin } of pairsIn(ended)) {
    const isAcross = incoming.terms.platformId !== origin.platformId;
    yield `end: local ${incoming.status}${isAcross ? ' across' : ''}`;
  }
}
