/** The projector: copies events into the read models. Rows and checkpoint commit in one transaction. */
import { sql } from 'kysely';
import { type DomainEvent, eventSchemas } from '../../src/domain/aggregates.ts';
import { decodeEvent } from '../../src/infrastructure/event-store/encoding.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
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

/** An event of the log as the code knows it. Throws when it does not fit its schema. */
export const toDomainEvent = (stored: StoredEvent): DomainEvent => {
  const { id, stream, position, metadata } = stored;
  return { ...decodeEvent<DomainEvent>(eventSchemas, stored), id, stream, position, metadata };
};

export async function project(
  models: readonly Projection[],
  events: readonly StoredEvent[],
  db: WriteDb,
): Promise<void> {
  for (const stored of events) {
    const event = toDomainEvent(stored);
    for (const model of models) await model.project(event, db);
  }
}

/**
 * The consumer that keeps all read models up to date. The checkpoint is locked and compared, so that a projector that
 * has lost its lease without noticing applies nothing twice. `extra` runs for each event after the read models, in the
 * same transaction, and so sees them as of exactly that event.
 */
export function projector(
  db: ReadDb,
  passed: (position: bigint) => void,
  extra: readonly Projection[] = [],
): CheckpointedConsumer {
  const models = [...projections, ...extra];
  return {
    name: projectionsCheckpoint,
    checkpoint: () => loadCheckpoint(db, projectionsCheckpoint),
    async consume(events) {
      const last = events.at(-1);
      if (!last) return;
      await db.transaction().execute(async (transaction) => {
        const done = (await loadCheckpoint(transaction, projectionsCheckpoint, 'for update')) ?? 0n;
        await project(
          models,
          events.filter(({ position }) => position > done),
          transaction,
        );
        if (last.position > done) await saveCheckpoint(transaction, projectionsCheckpoint, last.position);
        await sql`select pg_notify(${projectedChannel}, ${last.position.toString()})`.execute(transaction);
      });
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
