/**
 * Puts the clock of a platform forward: from one moment at which something is due to the next, and at each does what is
 * due and waits for what follows. What is due are timers, and attempts of webhooks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { nextWebhookAt } from '../../../projections/kept/webhook-events.ts';
import { keyOfTimer, timersOfPlatform } from '../../../projections/models/timers.ts';
import type { Timer } from '../../../projections/tables/transactions.ts';
import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import { whateverTheTime } from '../../infrastructure/deadlines/deadline.ts';
import { unlessAborted } from '../../infrastructure/deadlines/within.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { RunTimer } from '../../use-cases/run-timer.ts';
import { type SettledDeps, settled } from '../settled.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** An advance that takes longer stops where it has come, and is called again. */
const advanceMaxMs = 60_000;
/** Of the timers that it has run, an answer shows the first ones. */
export const shownMax = 100;
const timersAtOnce = 500;
const askedEveryMs = 5;

export type AdvanceDeps = SettledDeps & {
  readonly times: PlatformTimes;
  readonly runTimer: RunTimer;
  readonly webhooks: Pick<Webhooks, 'reconcile' | 'ended'>;
  /** Ends an advance. */
  readonly signal: AbortSignal;
};

/** What was due, and when by the platform's clock. */
export type Fired = Pick<Timer, 'kind' | 'subject'> & { readonly dueAt: Date };
export type Advanced = { readonly fired: readonly Fired[]; readonly firedCount: number };

type Advance = {
  readonly platformId: PlatformId;
  readonly to: Date;
  /** Records that the clock shows a later time. */
  readonly move: (to: Date) => Promise<void>;
};

/**
 * Throws `Rejected` (CONFLICT) where there is more to do than a minute is enough for. However it ends, the log has the
 * time that the clock shows then.
 */
export async function advance(deps: AdvanceDeps, asked: Advance): Promise<Advanced> {
  const { times } = deps;
  const { platformId, to } = asked;
  /** Whether this process shows a time that the log does not have. */
  let isAhead = false;
  const move = async (at: Date) => {
    await asked.move(at);
    isAhead = false;
  };
  const pass = (at: Date) => {
    isAhead ||= at > times.nowOf(platformId);
    times.pass(platformId, at);
  };
  try {
    const fired = await doWhatIsDue(deps, { platformId, to, move }, pass);
    if (isAhead || to > times.nowOf(platformId)) await move(to);
    return { fired: fired.slice(0, shownMax), firedCount: fired.length };
  } catch (error) {
    if (isAhead) await whateverTheTime(() => move(times.nowOf(platformId)));
    throw error;
  }
}

async function doWhatIsDue(
  deps: AdvanceDeps,
  { platformId, to, move }: Advance,
  pass: (to: Date) => void,
): Promise<readonly Fired[]> {
  const { times, readDb, signal } = deps;
  const until = performance.now() + advanceMaxMs;
  const ran = new Set<string>();
  const fired: Fired[] = [];
  for (;;) {
    await unlessAborted(signal, settled(deps));
    const [timers, webhookAt] = await Promise.all([
      timersOfPlatform(readDb, platformId, to, timersAtOnce),
      nextWebhookAt(readDb, platformId),
    ]);
    const due = timers.filter((timer) => !ran.has(keyOfTimer(timer)));
    const timerAt = due[0]?.due_at;
    const next = earliest(timerAt, webhookAt);
    if (!next || next > to) return fired;
    if (performance.now() > until) throw tooMuch(times.nowOf(platformId));
    if (next !== timerAt) {
      pass(next);
      // Where another process has had it go on meanwhile.
      if (times.nowOf(platformId) < next) await move(next);
      await deliver(deps, { platformId, reach: timerAt ? new Date(timerAt.getTime() - 1) : to, until });
      continue;
    }
    if (next > times.nowOf(platformId)) await move(next);
    for (const timer of due.filter(({ due_at }) => due_at <= next)) {
      ran.add(keyOfTimer(timer));
      await times.within(platformId, () => deps.runTimer(timer));
      fired.push({ kind: timer.kind, subject: timer.subject, dueAt: timer.due_at });
    }
  }
}

/** When something of the platform is due next: a timer, or the attempt of a webhook. */
export async function nextDueAt(
  { readDb }: Pick<AdvanceDeps, 'readDb'>,
  platformId: PlatformId,
): Promise<Date | undefined> {
  const [[timer], webhookAt] = await Promise.all([
    timersOfPlatform(readDb, platformId, undefined, 1),
    nextWebhookAt(readDb, platformId),
  ]);
  return earliest(timer?.due_at, webhookAt);
}

type Delivering = { readonly platformId: PlatformId; readonly reach: Date; readonly until: number };

/** Has the webhooks attempted that are due by the platform's clock, as often as they are due before `reach`. */
async function deliver(deps: AdvanceDeps, { platformId, reach, until }: Delivering): Promise<void> {
  const { times, readDb, webhooks, signal } = deps;
  times.reach(platformId, reach);
  try {
    for (;;) {
      const next = await nextWebhookAt(readDb, platformId);
      if (!next || next > times.nowOf(platformId) || performance.now() > until) return;
      await unlessAborted(signal, webhooks.reconcile());
      // What another process has claimed is seen in the table alone.
      if ((await webhooks.ended(platformId)) === 0) await sleep(askedEveryMs);
    }
  } finally {
    times.reach(platformId, undefined);
  }
}

const earliest = (...moments: readonly (Date | undefined)[]): Date | undefined =>
  moments.filter((moment) => moment !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0];

const tooMuch = (reached: Date) =>
  new Rejected(
    'CONFLICT',
    `There is more to do than ${advanceMaxMs / 1_000} seconds are enough for. The clock shows ${reached.toISOString()}; advance it again.`,
    { now: reached.toISOString() },
  );
