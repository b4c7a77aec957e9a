/** The payments of the log beside the rows that show them. */
import { type CopiedCounts, copiedPayments } from '../../../../../projections/auditor/copied-payments.ts';
import type { ReadDb } from '../../../../../projections/database.ts';
import { createStates } from '../../../../../projections/projector/states.ts';
import { aggregates, type FollowedEvent } from '../../../../domain/aggregates.ts';
import type { Payment } from '../../../../domain/payments/life/progress.ts';
import { receivingSideId, receivingSideOf } from '../../../../domain/payments/receiving-side.ts';
import type { EventStore, StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';
import type { TransactionId } from '../../../../kernel/ids.ts';
import { differenceIn, expectedRows } from './payment-columns.ts';
import { ReadModelFault } from './read-model-fault.ts';

/** Takes the events of the log as they are shown, in order. Throws `ReadModelFault` where a row says something else. */
export type PaymentRows = {
  readonly add: (event: StoredEvent) => Promise<void>;
  /** With what was counted at a moment up to whose position everything was added. */
  readonly end: (position: bigint, counted: CopiedCounts) => Promise<void>;
  /** How many rows there are of what was added. */
  readonly count: () => number;
};

const batchMax = 500;
const prefix = `${aggregates.transaction.category}-`;

export function paymentRows(db: ReadDb, store: Pick<EventStore, 'read'>): PaymentRows {
  const states = createStates(store);
  let added: StoredEvent[] = [];
  /** How payments stand of which more is to come, by stream; others are compared as soon as there are enough of them. */
  const open = new Map<string, Payment>();
  const ended = new Map<string, Payment>();
  const counts = new Map<string, number>();

  const follow = async () => {
    const events = await states.follow(added);
    added = [];
    for (const event of events) {
      const state = paymentAfter(event);
      if (!state) continue;
      const { platformId } = state.terms;
      counts.set(platformId, (counts.get(platformId) ?? 0) + newRows(event, state));
      open.delete(event.stream);
      ended.delete(event.stream);
      (aggregates.transaction.isOver(state) ? ended : open).set(event.stream, state);
    }
    if (ended.size >= batchMax) await compareAll(ended);
  };

  const compareAll = async (payments: Map<string, Payment>) => {
    const all = [...payments];
    payments.clear();
    while (all.length > 0) await compare(all.splice(0, batchMax));
  };

  const compare = async (payments: readonly (readonly [string, Payment])[]) => {
    const { rows } = await copiedPayments(
      db,
      payments.flatMap(([, state]) => idsOf(state)),
    );
    for (const [stream, state] of payments)
      if (differenceIn(expectedRows(state), rows)) await compareNow(stream, idsOf(state));
  };

  /** The rows may be further than what was added. */
  const compareNow = async (stream: string, ids: readonly TransactionId[]) => {
    const { position, rows } = await copiedPayments(db, ids);
    const events = (await store.read(stream)).filter((event) => event.position <= position);
    const last = (await createStates(store).follow(events)).at(-1);
    const state = last && paymentAfter(last);
    const difference = state && differenceIn(expectedRows(state), rows);
    if (difference) throw new ReadModelFault({ readModel: 'transactions', position, ...difference });
  };

  return {
    async add(event) {
      if (!event.stream.startsWith(prefix)) return;
      added.push(event);
      if (added.length >= batchMax) await follow();
    },
    async end(position, counted) {
      await follow();
      await compareAll(ended);
      await compareAll(open);
      compareCounts(position, counts, counted);
    },
    count: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}

const paymentAfter = (event: FollowedEvent): Payment | undefined =>
  event.of === 'transaction' && event.state.status !== 'NONE' ? event.state : undefined;

const idsOf = ({ terms: { transactionId } }: Payment): readonly TransactionId[] => [
  transactionId,
  receivingSideId(transactionId),
];

/** A payment begins with its first event, and its receiving side when the amount is due. */
const newRows = ({ revision, type }: FollowedEvent, state: Payment): number =>
  Number(revision === 0) + Number(type === 'CreditDue' && receivingSideOf(state) !== undefined);

/** Throws where there are other rows than those of the payments, or they are counted or listed otherwise. */
function compareCounts(
  position: bigint,
  logged: ReadonlyMap<string, number>,
  { rows, miscounted, misplaced }: CopiedCounts,
): void {
  for (const platformId of new Set([...logged.keys(), ...rows.keys()])) {
    const [there, here] = [logged.get(platformId) ?? 0, rows.get(platformId) ?? 0];
    if (there === here) continue;
    const difference = { platformId, column: 'number of rows', copied: here, logged: there };
    throw new ReadModelFault({ readModel: 'transactions', position, ...difference });
  }
  for (const { platform_id: platformId, customer_id: customerId, total, rows: there } of miscounted) {
    const difference = { platformId, customerId, column: 'total', copied: total, logged: there };
    throw new ReadModelFault({ readModel: 'transaction_totals', position, ...difference });
  }
  if (misplaced) {
    const { id: transactionId, status, listed } = misplaced;
    const difference = {
      transactionId,
      column: 'status',
      copied: listed ?? undefined,
      logged: status ?? undefined,
    };
    throw new ReadModelFault({ readModel: 'uncompleted_transactions', position, ...difference });
  }
}
