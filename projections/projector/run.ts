import type { Closings } from '../../src/infrastructure/closings/closings.ts';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { type CheckpointedConsumer, ReadAgain } from '../../src/infrastructure/event-store/follow-log.ts';
import type { Progress } from '../../src/infrastructure/event-store/progress.ts';
import { oneAtATime } from '../../src/infrastructure/one-at-a-time.ts';
import type { Listening } from '../../src/infrastructure/postgres/listen.ts';
import { isCancelled, isDeadlock } from '../../src/infrastructure/postgres/violations.ts';
import { within } from '../../src/infrastructure/within.ts';
import type { ReadDb } from '../database.ts';
import {
  erasuresSoFar,
  loadCheckpoint,
  projectionsCheckpoint,
  startCheckpoint,
} from '../kept/checkpoints.ts';
import { agents } from '../models/agents.ts';
import { beneficialOwners } from '../models/beneficial-owners.ts';
import { customers } from '../models/customers.ts';
import { deletedTokens } from '../models/deleted-tokens.ts';
import { documents } from '../models/documents.ts';
import { externalAccounts } from '../models/external-accounts.ts';
import { fundingReferences } from '../models/funding-references.ts';
import { internalAccounts } from '../models/internal-accounts.ts';
import { ledger } from '../models/ledger.ts';
import { platformClocks } from '../models/platform-clocks.ts';
import { timers } from '../models/timers.ts';
import { transactions } from '../models/transactions.ts';
import { verifications } from '../models/verifications.ts';
import { wallets } from '../models/wallets.ts';
import { webhookEndpoints } from '../models/webhook-endpoints.ts';
import { CheckpointMoved, projectAt } from './batch.ts';
import { createParking, isOfEvent, type SetAside } from './parking.ts';
import type { Projection } from './projection.ts';
import { createStates, type Learned } from './states.ts';

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
  platformClocks,
  wallets,
  webhookEndpoints,
  deletedTokens,
];

/** Where processes hear how far the read models have come. */
export const projectedChannel = 'daybook_projected';

type Deps = {
  readonly db: ReadDb;
  readonly store: Pick<EventStore, 'read' | 'last'>;
  /** Without it long streams are read whole. */
  readonly closings?: Closings;
  /** Told how far the read models have come, after the commit. */
  readonly passed: (position: bigint) => void;
  /** Run for each event after the read models, in the same transaction: they see them as of exactly that event. */
  readonly extra?: readonly Projection[];
  /** People may have been erased: what this process remembers of them is read again. */
  readonly forget?: () => void;
  /** Told what the streams that others write have come to. */
  readonly learned?: Learned;
  readonly setAside?: SetAside;
  /** Of the term in which this is the projector; 0 for the only one there is. */
  readonly token?: bigint;
};

/** The consumer that keeps the read models up to date, and tries again what it had to set aside. */
export type Projector = CheckpointedConsumer & {
  readonly retry: () => Promise<void>;
};

/**
 * The checkpoint and the token of its term are compared as it is moved, so that a projector that has lost its lease
 * without noticing changes nothing.
 */
export function projector(deps: Deps): Projector {
  const { db, store, closings, passed, extra = [], learned, token = 0n } = deps;
  const models = [...projections, ...extra];
  const states = createStates(store, closings, learned);
  /** How often people had been erased when the events were read that are projected now; unknown at first. */
  let erasures: bigint | undefined;
  /** The same, when the log was begun to be followed. */
  let followedSince: bigint | undefined;
  /** What this process knows of the events up to here by itself may be of people who were erased since. */
  let untold = 0n;
  const place = () => ({ name: projectionsCheckpoint, token, erasures: erasures ?? 0n });
  const parking = createParking({ db, store, states, models, told: deps.setAside, place });
  /** Where this consumer has left the checkpoint; unknown after a failure, and at first. */
  let reached: bigint | undefined;
  const forget = () => {
    reached = undefined;
    for (const model of models) model.forget?.();
  };
  const load = async () => {
    forget();
    await parking.look();
    const started = await startCheckpoint(db, projectionsCheckpoint, token);
    if (started.erasures !== erasures) {
      states.forget();
      deps.forget?.();
      untold = await store.last();
      erasures = started.erasures;
    }
    reached = started.position;
    return reached;
  };
  const asStored = (event: StoredEvent): StoredEvent => {
    if (event.position > untold) return event;
    const { known: _, ...stored } = event;
    return stored;
  };
  /** All of them at once, or, where they fail, in halves, down to the one that is set aside. */
  const advance = async (events: readonly StoredEvent[], attempt = 1): Promise<void> => {
    const [first] = events;
    const to = events.at(-1)?.position;
    if (!first || to === undefined) return;
    const from = reached ?? (await load());
    try {
      if (parking.isUsed()) await parking.project(events, { from, to });
      else await projectAt(models, await states.follow(events), db, { ...place(), from, to });
    } catch (error) {
      for (const model of models) model.forget?.();
      if (isDeadlock(error) && attempt < attemptsMax) return advance(events, attempt + 1);
      // What took longer than a statement may: half of the events may take half as long.
      if (!isOfEvent(error) && !(isCancelled(error) && events.length > 1)) throw error;
      if (events.length > 1) {
        const half = Math.ceil(events.length / 2);
        await advance(events.slice(0, half));
        return advance(events.slice(half));
      }
      await parking.setAside(first, { from, to });
    }
    reached = to;
  };
  const inTurn = oneAtATime();
  return {
    name: projectionsCheckpoint,
    async checkpoint() {
      const position = await load();
      followedSince = erasures;
      return position || undefined;
    },
    consume: (events) =>
      inTurn(async () => {
        const last = events.at(-1)?.position;
        if (last === undefined) return;
        try {
          const from = reached ?? (await load());
          followedSince ??= erasures;
          if (followedSince !== erasures) throw new ReadAgain();
          await advance(events.filter(({ position }) => position > from).map(asStored));
        } catch (error) {
          forget();
          if (error instanceof CheckpointMoved && (await erasuresSoFar(db)) !== erasures)
            throw new ReadAgain();
          throw error;
        }
        passed(last);
      }),
    retry: () =>
      inTurn(async () => {
        if (reached === undefined || !parking.isUsed()) return;
        await parking.retry(reached).catch(async (error) => {
          if (error instanceof CheckpointMoved) await load();
          throw error;
        });
      }),
  };
}

/** The projector and a rebuild that puts its tables in place may wait for each other: one of them begins again. */
const attemptsMax = 5;

/** A server that has just come back takes a while until it answers. */
const askAgainMs = 250;
const asksMax = 20;
const lastMaxMs = 1_000;

/**
 * Tells how far the read models have come, in whichever process they are kept up to date. Their commits do not wait for the
 * disk: with each connection that is lost, rows may have been.
 */
export function listenForProgress(
  listening: Pick<Listening, 'on' | 'onLoss'>,
  db: ReadDb,
  progress: Pick<Progress, 'passed' | 'owe' | 'unsure'>,
  lastPosition: () => Promise<bigint>,
): void {
  // Notifications are lost while nobody listens: after each connection the checkpoint says how far it has come. What the
  // log has by then another process may have shown; read models are shown where the log is away, too.
  const ask = async (asks = 1): Promise<void> => {
    try {
      const last = await within(lastMaxMs, lastPosition()).catch(() => 'late' as const);
      if (last !== 'late') progress.owe(last);
      const position = await loadCheckpoint(db, projectionsCheckpoint);
      if (position !== undefined) progress.passed(position);
    } catch {
      if (asks < asksMax) setTimeout(ask, askAgainMs, asks + 1).unref();
    }
  };
  listening.onLoss(progress.unsure);
  listening.on(projectedChannel, (position) => {
    if (position) return progress.passed(BigInt(position));
    // Whatever was said of a commit before the loss has been heard by now.
    progress.unsure();
    return ask();
  });
}
