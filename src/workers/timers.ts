/**
 * What is due in the future: expiring quotes and invitations, ending approvals, asking the rail. The log says what is
 * due and when, and the read model has it; a job only says that it is time to look. All timers of one moment share a
 * job, and the reconciler replaces every job that was lost.
 */
import { LRUCache } from 'lru-cache';
import type { ReadDb } from '../../projections/database.ts';
import { isBeforeRail, overdueTimers, timerOf } from '../../projections/models/timers.ts';
import type { Timer } from '../../projections/tables/transactions.ts';
import type { DomainEvent } from '../domain/aggregates.ts';
import type { JobQueue } from '../infrastructure/jobs/queues.ts';
import type { RunTimer } from '../use-cases/payments/run-timer.ts';
import { createLooks, type LookJob } from './looks.ts';

type Deps = {
  readonly runTimer: RunTimer;
  readonly queue: JobQueue<LookJob>;
  readonly readDb: ReadDb;
  /** Resolves when the read models have a position, or when waiting has taken long enough. */
  readonly projected: (position: bigint) => Promise<unknown>;
  readonly now: () => Date;
};

export type Timers = {
  /** Sees to it that somebody looks when what an event starts is due; does nothing for other events. */
  readonly schedule: (event: DomainEvent) => Promise<void> | undefined;
  /** Does everything that is due. Throws when some of it failed, which is then due still. */
  readonly run: () => Promise<void>;
  /** Sees to it that somebody looks now, where anything is overdue; says how much is. */
  readonly reconcile: () => Promise<number>;
};

const leadMs = 20;
export const pageMax = 500;
export const rememberedMax = 10_000;
/** Less than the reconciler's period: what has not ended by then, its rail not answering, is begun again. */
const begunForMs = 4_000;

export function createTimers({ runTimer, queue, readDb, projected, now }: Deps): Timers {
  const started = now().getTime();
  /** Up to here the read model has to be, or a timer of this process is not in it. */
  let newest = 0n;
  const lookAt = createLooks({ queue, now });
  /** What was begun and may not show in the read model yet. */
  const begun = new LRUCache<string, true>({ max: rememberedMax, ttl: begunForMs });

  const runOnce = async (timer: Timer) => {
    const key = `${timer.kind} ${timer.subject} ${timer.due_at.getTime()}`;
    if (begun.has(key)) return;
    begun.set(key, true);
    try {
      await runTimer(timer);
    } catch (error) {
      begun.delete(key);
      throw error;
    }
  };

  return {
    schedule(event) {
      const timer = timerOf(event);
      // What is ready for the rail is with it by then: the reconciler finds what is not.
      if (!timer || isBeforeRail(event)) return undefined;
      if (event.position > newest) newest = event.position;
      // A job that is about to start may not see it any more.
      return lookAt(new Date(Math.max(timer.due_at.getTime(), now().getTime() + leadMs)));
    },

    async run() {
      await projected(newest);
      const failures: unknown[] = [];
      let after: Timer | undefined;
      do {
        const due = await overdueTimers(readDb, now(), pageMax, after);
        for (const outcome of await Promise.allSettled(due.map(runOnce)))
          if (outcome.status === 'rejected') failures.push(outcome.reason);
        after = due.length === pageMax ? due.at(-1) : undefined;
      } while (after);
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} timers failed`);
    },

    async reconcile() {
      const overdue = await overdueTimers(readDb, now(), pageMax);
      // An id of its own: the job of the moment may still be there, held by a process that died.
      if (overdue.length > 0) await queue.add(`overdue-${started}-${now().getTime()}`, {}, 0);
      return overdue.length;
    },
  };
}
