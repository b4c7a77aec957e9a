/**
 * Going back to a snapshot. Snapshots are for an installation of one process: so one of the two is away meanwhile. Each
 * platform goes on with all else it does, and so does what goes wrong.
 */
import type { Random } from '../../random.ts';
import { type Asked, type Backends, decides, type PlatformNumber } from '../client.ts';
import type { Answer } from '../ports/network.ts';
import { type AllHoldings, remember } from './holdings.ts';

/** Until a process that has ended without notice is not counted any more, and what a platform does has come to rest. */
const triesMax = 12;
const againMs = 1_500;
/** How far a platform goes on before it goes back. */
const actsMax = 6;
const sinceMaxMs = 9_000;
const againMax = 2;
/** After so long it is asked again what became of a payment whose bank has told it before. */
const untilAskedAgain = 'PT61M';

type Deps = {
  readonly random: Random;
  readonly holdings: AllHoldings;
  /** Notes what a payment was answered with. */
  readonly paid: (by: PlatformNumber, made: Answer | undefined) => Promise<void>;
  /** One of all other things that a platform does. */
  readonly doSomething: (by: PlatformNumber) => Promise<void>;
  /** One of the processes ends, and stays away until what this resolves to is called. */
  readonly sendAway: (isAsked: boolean) => Promise<(() => Promise<void>) | undefined>;
  /** How often a platform has gone back. */
  readonly waysBack: () => Promise<number>;
  /** A rail that tells what becomes of payments by itself does so again. */
  readonly tellAgain: () => void;
};

type Taken = { readonly id: string; readonly asked: Asked; readonly putBack: () => void };

const isPath = /^\/sandbox\/snapshots/;
const wasPaid = ({ key, path, answers }: Asked, by: PlatformNumber, one: Asked): boolean =>
  key !== undefined && !isPath.test(path) && one.by === by && answers.some(({ status }) => status === 201);

export function snapshotsOf(
  { asked, post, pause, askAgain, untilDecided, act, turnBack }: Backends,
  { random, holdings, paid, doSomething, sendAway, waysBack, tellAgain }: Deps,
) {
  /** The platforms that have gone back. */
  const gone = new Set<PlatformNumber>();

  const take = async (by: PlatformNumber): Promise<Taken | undefined> => {
    for (let tries = 0; tries < triesMax; tries++) {
      const [putBack, n] = [remember(holdings[by]), asked.length];
      const made = await post(by, '/sandbox/snapshots', { name: 'before' });
      const one = asked[n];
      if (made?.status === 201 && one) return { id: made.body.id, asked: one, putBack };
      await pause(againMs);
    }
    return undefined;
  };

  /** Whether it has gone back. An answer may say nothing of what a request before it has done that was not answered. */
  const goBackTo = async (by: PlatformNumber, { id, putBack }: Taken): Promise<boolean> => {
    const before = await waysBack();
    const path = `/sandbox/snapshots/${id}/restore`;
    const arrive = turnBack(by);
    await untilDecided(() => post(by, path));
    const isBack = (await waysBack()) > before;
    if (isBack) {
      putBack();
      gone.add(by);
    }
    arrive();
    return isBack;
  };

  /** A key that was used before the snapshot has its answer still; one from after it means something new. */
  const useKeysAgain = async (by: PlatformNumber, taken: Taken) => {
    const { from, answers } = taken.asked;
    const to = answers[0]?.to ?? from;
    const keyed = asked.filter((one) => one.bearer === undefined && wasPaid(one, by, one));
    const before = keyed.filter((one) => one.answers.some((answer) => answer.to <= from && decides(answer)));
    const after = keyed.filter((one) => one.from >= to);
    for (const one of before.slice(-1)) await askAgain(one);
    for (const one of after.slice(-againMax)) await paid(by, await askAgain(one));
  };

  let isAlone = false;
  const goBack = async (by: PlatformNumber) => {
    if (isAlone) return;
    isAlone = true;
    const comeBack = await sendAway(random.chance(0.7));
    const taken = comeBack && (await take(by));
    if (taken) {
      const acts = Array.from({ length: 1 + random.below(actsMax) }, () => act(() => doSomething(by)));
      await Promise.all([pause(random.below(sinceMaxMs)), random.chance(0.5) && Promise.all(acts)]);
      if (await goBackTo(by, taken)) await useKeysAgain(by, taken);
    }
    await comeBack?.();
    isAlone = false;
  };
  /**
   * What was told before a way back is told nobody again: time passes for those who have gone it, until they ask. Whom they
   * do not ask is asked to tell it again.
   */
  const catchUp = async () => {
    if (gone.size > 0) tellAgain();
    for (const by of gone)
      await untilDecided(() => post(by, '/sandbox/clock/advance', { duration: untilAskedAgain }));
  };
  return { goBack, catchUp };
}
