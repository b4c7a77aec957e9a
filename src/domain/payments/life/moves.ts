/** Where a payment stands in its life, and what may happen to it from there. */
import { invariant } from '../../../kernel/invariant.ts';
import type { TransactionEvent } from '../events.ts';
import { type EventType, life, type Stage, type StageRow } from './life.ts';
import { type RefundRow, type RefundStatus, refundLife } from './refund-life.ts';

type Place = {
  readonly stage: 'none' | Stage;
  readonly refund?: { readonly status: RefundStatus };
};

const rowOf = ({ stage }: Place): StageRow => life[stage];
const refundRowOf = ({ refund }: Place): RefundRow => refundLife[refund?.status ?? 'NONE'];

/** The events of which a refund has to hear. */
const ofRefunds = new Set(Object.values(refundLife).flatMap(({ moves }) => Object.keys(moves)));

/** Whether an event of this type may follow. */
export const mayMove = (place: Place, type: EventType): boolean =>
  type in rowOf(place).moves && (!ofRefunds.has(type) || type in refundRowOf(place).moves);

const readyForRail = [
  'TransferCreated',
  'TransactionProcessing',
  'FundsReceived',
  'PaymentApproved',
] as const;
const readyTypes: ReadonlySet<string> = new Set<EventType>(readyForRail);

/** Whether the payment is ready for the rail with this event. */
export const isReadyForRail = <E extends { readonly type: string }>(
  event: E,
): event is Extract<E, { readonly type: (typeof readyForRail)[number] }> => readyTypes.has(event.type);

const stages = Object.keys(life).filter((stage): stage is Stage => stage !== 'none');
const targetsOf = (to: StageRow['moves'][EventType]): readonly Stage[] =>
  typeof to === 'object' ? Object.values(to) : to ? [to] : [];

/** Where a submission leads: the rail has the payment. */
const atRail = new Set<string>(stages.flatMap((stage) => targetsOf(rowOf({ stage }).moves.PaymentSubmitted)));

/** Whether the rail is still to be given the payment. Of one that it has, a submission says that it has begun by now. */
export const awaitsSubmission = (place: Place): boolean =>
  mayMove(place, 'PaymentSubmitted') && !atRail.has(place.stage);

/** Whether it is news that the rail has taken the payment: it is still to be given it, or has begun what it had taken. */
export const isNewSubmission = (place: Place, { underway }: { readonly underway: boolean }): boolean =>
  underway ? mayMove(place, 'PaymentSubmitted') : awaitsSubmission(place);

export const waitsFor = (place: Place): StageRow['waitsFor'] => rowOf(place).waitsFor;

/** Throws `InvariantViolation` for an event that the stage does not have. */
export function stageAfter(place: Place, event: TransactionEvent): Stage {
  const to = rowOf(place).moves[event.type];
  invariant(to, `${event.type} of a payment that is ${place.stage}`);
  if (typeof to === 'string') return to;
  return event.type === 'PaymentSubmitted' && event.data.underway ? to.underway : to.notYet;
}

/** Throws `InvariantViolation` for an event that the refund does not have. */
export function refundAfter(place: Place, type: EventType): RefundStatus {
  const to = refundRowOf(place).moves[type];
  invariant(to, `${type} of a payment whose refund is ${place.refund?.status ?? 'not owed'}`);
  return to;
}

type Status = (typeof life)[Stage]['status'];

/** By status, from which others one event leads to it. */
const before = new Map<Status, Set<Status>>();
for (const stage of stages) {
  for (const { status } of Object.values(rowOf({ stage }).moves)
    .flatMap(targetsOf)
    .map((to) => life[to]))
    if (status !== life[stage].status)
      before.set(status, (before.get(status) ?? new Set()).add(life[stage].status));
}

/** The other statuses from which one event leads to this one. */
export const statusesBefore = (status: Status): readonly Status[] => [...(before.get(status) ?? [])];
