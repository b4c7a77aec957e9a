/**
 * While several tenants ask, few of their requests go on at a time, and of those who wait it is the turn of the tenant for
 * whom the fewest do. All that go on at the same time take as long as all of them together: who asks once would wait for
 * everything that another asks for.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { PassingSet } from '../remembered/passing.ts';

/** They fill a processor and its database. */
export const goingOnMax = 48;
/** Who has asked counts for so long as one of several, in milliseconds. */
export const sharedMs = 1_000;
/** What has taken so long waits for something, and takes nothing from the others. */
export const turnMaxMs = 1_000;
/** The same of what waits for an answer from elsewhere. */
const elsewhereMs = 10;
const lookEveryMs = 100;

export type Turns = {
  /** Does the work when it is the tenant's turn: at once where one tenant asks alone, or has less than its share. */
  readonly inTurn: (tenant: string, work: () => Promise<void>) => Promise<void>;
};

type Turn = { readonly tenant: string; readonly since: number };
type Current = { readonly end: () => void };

const current = new AsyncLocalStorage<Current>();

/** What is done elsewhere, as by a rail: once that takes a moment, the turn of the request that waits is over. */
export function elsewhere<Result>(work: Promise<Result>): Promise<Result> {
  const turn = current.getStore();
  if (!turn) return work;
  const timer = setTimeout(turn.end, elsewhereMs);
  return work.finally(() => clearTimeout(timer));
}

export function createTurns(most = goingOnMax): Turns {
  /** In the order in which they began. */
  const goingOn = new PassingSet<Turn>();
  const counts = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  let last: string | undefined;
  let sharedUntil = Number.NEGATIVE_INFINITY;
  let look: NodeJS.Timeout | undefined;

  const asks = (tenant: string) => {
    if (last !== undefined && last !== tenant) sharedUntil = performance.now() + sharedMs;
    last = tenant;
  };
  const countOf = (tenant: string) => counts.get(tenant) ?? 0;
  const mayBegin = (tenant: string): boolean => {
    if (goingOn.size < most || performance.now() >= sharedUntil) return true;
    const tenants = new Set([...counts.keys(), ...waiting.keys(), tenant]).size;
    return countOf(tenant) < most / tenants;
  };
  const begin = (tenant: string): Turn => {
    const turn = { tenant, since: performance.now() };
    goingOn.add(turn);
    counts.set(tenant, countOf(tenant) + 1);
    return turn;
  };
  const end = (turn: Turn) => {
    if (!goingOn.delete(turn)) return;
    const left = countOf(turn.tenant) - 1;
    if (left > 0) counts.set(turn.tenant, left);
    else counts.delete(turn.tenant);
    letGo();
  };
  const letGo = () => {
    while (waiting.size > 0) {
      const [tenant] = [...waiting.keys()].sort((one, other) => countOf(one) - countOf(other));
      if (tenant === undefined || !mayBegin(tenant)) return;
      const theirs = waiting.get(tenant);
      const first = theirs?.shift();
      if (theirs?.length === 0) waiting.delete(tenant);
      first?.();
    }
    clearInterval(look);
    look = undefined;
  };
  const endLong = () => {
    const from = performance.now() - turnMaxMs;
    for (const turn of goingOn) {
      if (turn.since > from) break;
      end(turn);
    }
    letGo();
  };
  const wait = (tenant: string) =>
    new Promise<Turn>((resolve) => {
      const theirs = waiting.get(tenant) ?? [];
      theirs.push(() => resolve(begin(tenant)));
      waiting.set(tenant, theirs);
      look ??= setInterval(endLong, lookEveryMs);
    });

  return {
    async inTurn(tenant, work) {
      asks(tenant);
      const turn = mayBegin(tenant) ? begin(tenant) : await wait(tenant);
      const over = () => end(turn);
      await current.run({ end: over }, work).finally(over);
    },
  };
}
