import { sql } from 'kysely';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import { isReadyForRail } from '../../src/domain/payments/life/moves.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Projection, platformOf } from '../projector/projection.ts';
import type { Timer, TimerKind } from '../tables/transactions.ts';

/** What is ready for the rail is with it long before this, unless the rail is away or a process died. */
export const submittedAfterMs = 15_000;

/** Whoever deletes a customer has looked into its accounts long before this, unless a process died. */
export const deletedWithinMs = 60_000;

/** The timer that an event starts; `undefined` when it ends its subject's timer; `null` when it changes nothing. */
export function timerOf(event: DomainEvent): Timer | undefined | null {
  if (isReadyForRail(event))
    return timer(event, 'check-payment', new Date(event.data.at.getTime() + submittedAfterMs));
  switch (event.type) {
    case 'QuoteCreated':
      return timer(event, 'expire-quote', event.data.expiresAt);
    case 'IncomingPaymentCreated':
      return timer(event, 'end-approval', event.data.approvalDueAt);
    case 'ApprovalDeferred':
      return timer(event, 'end-approval', event.data.approvalDueAt);
    case 'PaymentSubmitted':
    case 'TransactionCompleted':
    case 'ArrivalConfirmed':
      return timer(event, 'check-payment', event.data.checkAt);
    case 'InvitationCreated':
      return timer(event, 'expire-invitation', event.data.expiresAt);
    case 'DeletionBegun':
      return timer(event, 'abandon-deletion', new Date(event.data.at.getTime() + deletedWithinMs));
    case 'DeletionAbandoned':
    case 'CustomerDeleted':
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

const ofDeletions = new Set<DomainEvent['type']>(['DeletionBegun', 'DeletionAbandoned', 'CustomerDeleted']);

function subjectOf({ type, data }: DomainEvent): Timer['subject'] | undefined {
  if ('invitationId' in data) return data.invitationId;
  if (ofDeletions.has(type) && 'customerId' in data && data.customerId) return data.customerId;
  return 'transactionId' in data ? data.transactionId : undefined;
}

export function timer(event: DomainEvent, kind: TimerKind, dueAt: Date | undefined): Timer | undefined {
  const subject = subjectOf(event);
  return dueAt && subject && { subject, platform_id: platformOf(event), kind, due_at: dueAt };
}

/** One that a subject has again later is another one. */
export const keyOfTimer = ({ kind, subject, due_at: dueAt }: Timer): string =>
  `${kind} ${subject} ${dueAt.getTime()}`;

export const timers: Projection = {
  name: 'timers',
  tables: ['timers'],
  project(event, rows) {
    const next = timerOf(event);
    const subject = subjectOf(event);
    if (next === null || subject === undefined) return;
    if (next) rows.put('timers', { ...next, looks: 0, look_at: null });
    else rows.remove('timers', { subject });
  },
};

/** Platforms whose time is their own. */
export type OwnTimes = readonly { readonly platformId: string; readonly at: Date }[];

/**
 * Timers that should have run by `at` and were not set back, the longest overdue first; those after one where it is given.
 * Without those of platforms that have a time of their own.
 */
export const dueTimers = (
  db: ReadDb,
  at: Date,
  limit: number,
  { after, except }: { readonly after: Timer | undefined; readonly except: OwnTimes },
): Promise<Timer[]> =>
  db
    .selectFrom('timers')
    .select(['subject', 'platform_id', 'kind', 'due_at'])
    .where('looks', '=', sql.lit(0))
    .where('due_at', '<=', at)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(due_at, subject) > (${after?.due_at}, ${after?.subject})`),
    )
    .$if(except.length > 0, (query) =>
      query.where(({ eb, val, not }) =>
        not(eb('platform_id', '=', eb.fn.any(val(except.map(({ platformId }) => platformId as PlatformId))))),
      ),
    )
    .orderBy('due_at')
    .orderBy('subject')
    .limit(limit)
    .execute();

/** The same of platforms that have a time of their own, each by its time. */
export async function dueByOwnTimes(db: ReadDb, times: OwnTimes, limit: number): Promise<Timer[]> {
  const { rows } = await sql<Timer>`
    select subject, t.platform_id, kind, due_at
    from unnest(${times.map(({ platformId }) => platformId)}::text[], ${times.map(({ at }) => at)}::timestamptz[])
      as own (platform_id, at)
    join timers t on t.platform_id = own.platform_id and looks = 0 and due_at <= own.at
    order by due_at, subject limit ${limit}`.execute(db);
  return rows;
}

/** The timers of a platform that were not set back, those that are due first first; those due by `until` where it is given. */
export const timersOfPlatform = (
  db: ReadDb,
  platformId: PlatformId,
  until: Date | undefined,
  limit: number,
): Promise<Timer[]> =>
  db
    .selectFrom('timers')
    .select(['subject', 'platform_id', 'kind', 'due_at'])
    .where('looks', '=', sql.lit(0))
    .where('platform_id', '=', platformId)
    .$if(until !== undefined, (query) => query.where('due_at', '<=', until as Date))
    .orderBy('due_at')
    .orderBy('subject')
    .limit(limit)
    .execute();

/** Whether it is there, due when it was. */
export async function isThere(db: ReadDb, { subject, due_at }: Timer): Promise<boolean> {
  const row = await db
    .selectFrom('timers')
    .select('subject')
    .where('subject', '=', subject)
    .where('due_at', '=', due_at)
    .executeTakeFirst();
  return row !== undefined;
}

/** The first pause of a timer that was set back; it doubles with each look. */
const firstPauseMs = 1_000;
export const longestPauseMs = 60_000;

/** A timer that was looked at, and when to look at it again. */
export type LookedAt = Timer & { readonly look_at: Date };

/** They are no longer among those that are due, but among those to look at again, each from its time on. */
export async function setBack(db: ReadDb, timers: readonly LookedAt[]): Promise<void> {
  if (timers.length === 0) return;
  const rows = JSON.stringify(timers.map(({ subject, due_at, look_at }) => ({ subject, due_at, look_at })));
  await sql`
    update timers t set looks = greatest(t.looks, 1), look_at = s.look_at
    from json_to_recordset(${rows}::json) as s (subject text, due_at timestamptz, look_at timestamptz)
    where t.subject = s.subject and t.due_at = s.due_at`.execute(db);
}

/** Takes those to be looked at again by `at`, each with a longer pause until the next time. */
export async function takeAgain(db: ReadDb, at: Date, limit: number): Promise<readonly Timer[]> {
  const { rows } = await sql<Timer>`
    update timers set looks = looks + 1,
      look_at = ${at}::timestamptz + interval '1 millisecond'
        * least(${sql.lit(firstPauseMs)} * power(2, least(looks - 1, 20)), ${sql.lit(longestPauseMs)})
    where subject = any (array(
      select subject from timers where looks > 0 and look_at <= ${at} order by look_at, subject limit ${limit}
      for update skip locked))
    returning subject, platform_id, kind, due_at`.execute(db);
  return rows;
}
