import type { EventStore } from '../../src/infrastructure/event-store/event-store.ts';
import type { CheckpointedConsumer } from '../../src/infrastructure/event-store/follow-log.ts';
import type { Progress } from '../../src/infrastructure/event-store/progress.ts';
import type { Listening } from '../../src/infrastructure/postgres/listen.ts';
import type { ReadDb } from '../database.ts';
import { loadCheckpoint, startCheckpoint } from '../kept/checkpoints.ts';
import { agents } from '../models/agents.ts';
import { beneficialOwners } from '../models/beneficial-owners.ts';
import { customers } from '../models/customers.ts';
import { documents } from '../models/documents.ts';
import { externalAccounts } from '../models/external-accounts.ts';
import { fundingReferences } from '../models/funding-references.ts';
import { internalAccounts } from '../models/internal-accounts.ts';
import { ledger } from '../models/ledger.ts';
import { timers } from '../models/timers.ts';
import { transactions } from '../models/transactions.ts';
import { verifications } from '../models/verifications.ts';
import { wallets } from '../models/wallets.ts';
import { webhookEndpoints } from '../models/webhook-endpoints.ts';
import { projectAt } from './batch.ts';
import type { Projection } from './projection.ts';
import { createStates } from './states.ts';

export const projections: readonly Projection[] = [
  customers,
  beneficialOwners,
  verifications,
  documents,
  internalAccounts,
  fundingReferences,
  externalAccounts,
  transactions,
  agents,
  ledger,
  timers,
  wallets,
  webhookEndpoints,
];

export const projectionsCheckpoint = 'projections';
/** Where processes hear how far the read models have come. */
export const projectedChannel = 'daybook_projected';

type Deps = {
  readonly db: ReadDb;
  readonly store: Pick<EventStore, 'read'>;
  /** Told how far the read models have come, after the commit. */
  readonly passed: (position: bigint) => void;
  /** Run for each event after the read models, in the same transaction: they see them as of exactly that event. */
  readonly extra?: readonly Projection[];
};

/**
 * The consumer that keeps all read models up to date. The checkpoint is compared as it is moved, so that a projector
 * that has lost its lease without noticing applies nothing twice.
 */
export function projector({ db, store, passed, extra = [] }: Deps): CheckpointedConsumer {
  const models = [...projections, ...extra];
  const states = createStates(store);
  /** Where this consumer has left the checkpoint; unknown after a failure, and at first. */
  let reached: bigint | undefined;
  const forget = () => {
    reached = undefined;
    for (const model of models) model.forget?.();
  };
  const load = async () => {
    forget();
    reached = await startCheckpoint(db, projectionsCheckpoint);
    return reached;
  };
  return {
    name: projectionsCheckpoint,
    checkpoint: async () => (await load()) || undefined,
    async consume(events) {
      const last = events.at(-1)?.position;
      if (last === undefined) return;
      try {
        const from = reached ?? (await load());
        const news = events.filter(({ position }) => position > from);
        if (news.length > 0) {
          const place = { name: projectionsCheckpoint, from, to: last };
          await projectAt(models, await states.follow(news), db, place);
          reached = last;
        }
      } catch (error) {
        forget();
        throw error;
      }
      passed(last);
    },
  };
}

/** Tells how far the read models have come, in whichever process they are kept up to date. */
export function listenForProgress(
  listening: Listening,
  db: ReadDb,
  progress: Pick<Progress, 'passed'>,
): void {
  const told = async (position: string | undefined) => {
    // Notifications are lost while nobody listens: after each connection the checkpoint says how far it has come.
    const passed = position ? BigInt(position) : await loadCheckpoint(db, projectionsCheckpoint);
    if (passed !== undefined) progress.passed(passed);
  };
  listening.on(projectedChannel, (position) => void told(position).catch(() => undefined));
}
