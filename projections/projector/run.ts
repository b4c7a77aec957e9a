/** The projector: copies events into the read models. Rows and checkpoint commit in one transaction. */
import { sql } from 'kysely';
import type { FollowedEvent } from '../../src/domain/aggregates.ts';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import type { CheckpointedConsumer } from '../../src/infrastructure/event-store/follow-log.ts';
import type { Progress } from '../../src/infrastructure/event-store/progress.ts';
import type { Log } from '../../src/infrastructure/observe/log.ts';
import { type Listener, listen } from '../../src/infrastructure/postgres/listen.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { loadCheckpoint, saveCheckpoint } from '../kept/checkpoints.ts';
import { agents } from '../models/agents.ts';
import { beneficialOwners } from '../models/beneficial-owners.ts';
import { customers } from '../models/customers.ts';
import { documents } from '../models/documents.ts';
import { externalAccounts } from '../models/external-accounts.ts';
import { internalAccounts } from '../models/internal-accounts.ts';
import { ledger } from '../models/ledger.ts';
import { timers } from '../models/timers.ts';
import { transactions } from '../models/transactions.ts';
import { verifications } from '../models/verifications.ts';
import { wallets } from '../models/wallets.ts';
import { webhookEndpoints } from '../models/webhook-endpoints.ts';
import type { Projection } from './projection.ts';
import { collectRows } from './rows.ts';
import { createStates } from './states.ts';

export const projections: readonly Projection[] = [
  customers,
  beneficialOwners,
  verifications,
  documents,
  internalAccounts,
  externalAccounts,
  transactions,
  agents,
  ledger,
  timers,
  wallets,
  webhookEndpoints,
];

export const projectionsCheckpoint = 'projections';
const projectedChannel = 'daybook_projected';

/** Lets the models make of the events what they make, in the transaction. */
export async function project(
  models: readonly Projection[],
  events: readonly FollowedEvent[],
  db: WriteDb,
): Promise<void> {
  const { rows, flush } = collectRows(db);
  for (const event of events) for (const model of models) await model.project(event, rows);
  await flush();
}

type Deps = {
  readonly db: ReadDb;
  readonly store: Pick<EventStore, 'read'>;
  /** Told how far the read models have come, after the commit. */
  readonly passed: (position: bigint) => void;
  /** Run for each event after the read models, in the same transaction: they see them as of exactly that event. */
  readonly extra?: readonly Projection[];
};

/**
 * The consumer that keeps all read models up to date. The checkpoint is locked and compared, so that a projector that
 * has lost its lease without noticing applies nothing twice.
 */
export function projector({ db, store, passed, extra = [] }: Deps): CheckpointedConsumer {
  const models = [...projections, ...extra];
  const states = createStates(store);
  let reached: bigint | undefined;
  const forget = () => {
    reached = undefined;
    for (const model of models) model.forget?.();
  };
  const apply = (events: readonly StoredEvent[], last: bigint) => async (transaction: WriteDb) => {
    const done = (await loadCheckpoint(transaction, projectionsCheckpoint, 'for update')) ?? 0n;
    if (done !== reached) forget();
    const news = events.filter(({ position }) => position > done);
    await project(models, await states.follow(news), transaction);
    if (last > done) await saveCheckpoint(transaction, projectionsCheckpoint, last);
    await sql`select pg_notify(${projectedChannel}, ${last.toString()})`.execute(transaction);
    reached = last > done ? last : done;
  };
  return {
    name: projectionsCheckpoint,
    checkpoint: () => loadCheckpoint(db, projectionsCheckpoint),
    async consume(events) {
      const last = events.at(-1);
      if (!last) return;
      try {
        await db.transaction().execute(apply(events, last.position));
      } catch (error) {
        forget();
        throw error;
      }
      passed(last.position);
    },
  };
}

/** Tells how far the read models have come, in whichever process they are kept up to date. */
export function listenForProgress(
  url: string,
  db: ReadDb,
  progress: Pick<Progress, 'passed'>,
  log: Log,
): Listener {
  const told = async (position: string | undefined) => {
    // Notifications are lost while nobody listens: after each connection the checkpoint says how far it has come.
    const passed = position ? BigInt(position) : await loadCheckpoint(db, projectionsCheckpoint);
    if (passed !== undefined) progress.passed(passed);
  };
  return listen(url, projectedChannel, (position) => void told(position).catch(() => undefined), log);
}
