import { sql } from 'kysely';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { ReadDb } from '../database.ts';
import { type Projection, platformOf } from '../projector/projection.ts';
import type { Timer, TimerKind } from '../tables/transactions.ts';

/** What is ready for the rail is with it long before this, unless the rail is away or a process died. */
export const submittedAfterMs = 15_000;

/** The timer that an event starts; `undefined` when it ends its subject's timer; `null` when it changes nothing. */
export function timerOf(event: DomainEvent): Timer | undefined | null {
  switch (event.type) {
    case 'QuoteCreated':
      return timer(event, 'expire-quote', event.data.expiresAt);
    case 'IncomingPaymentCreated':
      return timer(event, 'end-approval', event.data.approvalDueAt);
    case 'ApprovalDeferred':
      return timer(event, 'end-approval', event.data.approvalDueAt);
    case 'PaymentSubmitted':
    case 'TransactionCompleted':
      return timer(event, 'check-payment', event.data.checkAt);
    case 'InvitationCreated':
      return timer(event, 'expire-invitation', event.data.expiresAt);
    case 'TransferCreated':
    case 'TransactionProcessing':
    case 'FundsReceived':
    case 'PaymentApproved':
      return timer(event, 'check-payment', new Date(event.data.at.getTime() + submittedAfterMs));
    case 'CreditDue':
    case 'TransactionFailed':
    case 'TransactionRejected':
    case 'TransactionCancelled':
    case 'TransactionExpired':
    case 'PaymentReturned':
    case 'InvitationClaimed':
    case 'InvitationCancelled':
    case 'InvitationExpired':
      return undefined;
    default:
      return null;
  }
}

const beforeRail = new Set<DomainEvent['type']>([
  'TransferCreated',
  'TransactionProcessing',
  'FundsReceived',
  'PaymentApproved',
]);

/** Whether the timer that an event starts is one that hardly ever comes due. */
export const isBeforeRail = ({ type }: Pick<DomainEvent, 'type'>): boolean => beforeRail.has(type);

function subjectOf({ data }: DomainEvent): Timer['subject'] | undefined {
  if ('invitationId' in data) return data.invitationId;
  return 'transactionId' in data ? data.transactionId : undefined;
}

export function timer(event: DomainEvent, kind: TimerKind, dueAt: Date | undefined): Timer | undefined {
  const subject = subjectOf(event);
  return dueAt && subject && { subject, platform_id: platformOf(event), kind, due_at: dueAt };
}

export const timers: Projection = {
  name: 'timers',
  tables: ['timers'],
  project(event, rows) {
    const next = timerOf(event);
    const subject = subjectOf(event);
    if (next === null || subject === undefined) return;
    if (next) rows.put('timers', next);
    else rows.remove('timers', { subject });
  },
};

/** Timers that should have run by `at`, the longest overdue first; those after one of them where it is given. */
export const overdueTimers = (db: ReadDb, at: Date, limit: number, after?: Timer): Promise<Timer[]> =>
  db
    .selectFrom('timers')
    .selectAll()
    .where('due_at', '<=', at)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(due_at, subject) > (${after?.due_at}, ${after?.subject})`),
    )
    .orderBy('due_at')
    .orderBy('subject')
    .limit(limit)
    .execute();
