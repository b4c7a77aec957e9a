/**
 * What is due in the future: expiring quotes and invitations, ending approvals, asking the rail. The log says what is
 * due and when; jobs only carry it there in time, and the reconciler replaces every job that was lost.
 */
import type { ReadDb } from '../../projections/database.ts';
import { overdueTimers, timerOf } from '../../projections/models/timers.ts';
import type { Timer } from '../../projections/tables/transactions.ts';
import type { DomainEvent } from '../domain/aggregates.ts';
import type { JobQueue } from '../infrastructure/jobs/queues.ts';
import { isId, type PlatformId, uuidOf } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Commands } from '../use-cases/commands.ts';
import type { Payments } from '../use-cases/payments/rail-payments.ts';

export type TimerJob = {
  readonly subject: Timer['subject'];
  readonly platformId: PlatformId;
  readonly kind: Timer['kind'];
};

type Deps = {
  readonly commands: Commands;
  readonly payments: Payments;
  readonly queue: JobQueue<TimerJob>;
  readonly readDb: ReadDb;
  readonly now: () => Date;
};

export type Timers = {
  /** Turns the due time in an event into a delayed job; does nothing for other events. */
  readonly schedule: (event: DomainEvent) => Promise<void>;
  /** Does what is due. */
  readonly run: (job: TimerJob) => Promise<void>;
  /** Puts jobs back for everything overdue; says how many there were. */
  readonly reconcile: () => Promise<number>;
};

const reconciledMax = 1_000;

export function createTimers({ commands, payments, queue, readDb, now }: Deps): Timers {
  const started = now().getTime();
  const enqueue = ({ subject, platform_id, kind, due_at }: Timer, suffix = '') => {
    const job = { subject, platformId: platform_id, kind };
    // Each due time is a job of its own: the job of the one before may still be at work.
    const id = `${kind}-${uuidOf(subject)}-${due_at.getTime()}${suffix}`;
    return queue.add(id, job, due_at.getTime() - now().getTime());
  };

  return {
    async schedule(event) {
      const timer = timerOf(event);
      if (timer) await enqueue(timer);
    },

    async run({ subject, platformId, kind }) {
      const [uuid, at] = [uuidOf(subject), now()];
      const cause = {
        platformId,
        correlationId: `timer:${subject}`,
        causationId: `timer:${kind}`,
        actor: 'timer',
      };
      switch (kind) {
        case 'check-payment':
          invariant(isId('Transaction', subject), `no payment to check: ${subject}`);
          await payments.check(subject, cause);
          return;
        case 'end-approval':
          await commands.run('transaction', uuid, { type: 'EndApproval', at }, cause);
          return;
        case 'expire-quote':
          await commands.run('transaction', uuid, { type: 'ExpireQuote', at }, cause);
          return;
        case 'expire-invitation':
          await commands.run('invitation', uuid, { type: 'ExpireInvitation', at }, cause);
          return;
      }
    },

    async reconcile() {
      const overdue = await overdueTimers(readDb, now(), reconciledMax);
      // An id of their own: the first job may still be there, held by a process that died or waiting for another clock.
      for (const timer of overdue) await enqueue(timer, `-overdue-${started}`);
      return overdue.length;
    },
  };
}
