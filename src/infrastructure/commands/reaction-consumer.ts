import { InvariantViolation } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import type { CheckpointedConsumer } from '../event-store/follow-log.ts';
import type { Log } from '../observe/log.ts';
import { inTurn } from '../scheduling/in-turn.ts';
import { newestEvery } from '../scheduling/newest.ts';

/** Often enough: what was done since is done again after a crash, and is harmless. */
const savedEveryMs = 200;

type Reacting<Event> = {
  readonly decode: (stored: StoredEvent) => Event;
  /** Run in turn for each event; every one is safe to repeat, and gives nothing to wait for where it has nothing to do. */
  readonly reactions: readonly ((event: Event, later: readonly StoredEvent[]) => Promise<void> | undefined)[];
  readonly refused: () => void;
  readonly log: Log;
};

const none: readonly StoredEvent[] = [];

type Failed = { readonly error: unknown };

/**
 * Runs all reactions to an event, whatever becomes of each. Returns what the first failure was, if any failed. Nothing is
 * to be waited for where all that follows was done before, as it is for most events. `later` is what the log already has
 * of the same stream after it.
 */
export type React = (
  stored: StoredEvent,
  later?: readonly StoredEvent[],
) => Promise<Failed | undefined> | undefined;

export function createReact<Event>({ decode, reactions, refused, log }: Reacting<Event>): React {
  const note = ({ id, type }: StoredEvent, error: unknown): Failed => {
    if (error instanceof Rejected || error instanceof InvariantViolation) refused();
    log.error({ err: error, eventId: id, type }, 'a reaction failed');
    return { error };
  };
  type Underway = { readonly n: number; readonly begun: Promise<void> };
  /** From the `n`th reaction on, whose run has begun. */
  const goOn = async (
    stored: StoredEvent,
    event: Event,
    later: readonly StoredEvent[],
    { n, begun }: Underway,
  ) => {
    let failed: Failed | undefined;
    const fail = (error: unknown) => {
      const noted = note(stored, error);
      failed ??= noted;
    };
    await begun.catch(fail);
    try {
      for (const reaction of reactions.slice(n + 1)) {
        const reacting = reaction(event, later);
        if (reacting) await reacting.catch(fail);
      }
    } catch (error) {
      fail(error);
    }
    return failed;
  };
  return (stored, later = none) => {
    try {
      const event = decode(stored);
      for (let n = 0; n < reactions.length; n++) {
        const begun = reactions[n]?.(event, later);
        if (begun) return goOn(stored, event, later, { n, begun });
      }
      return undefined;
    } catch (error) {
      return Promise.resolve(note(stored, error));
    }
  };
}

type Deps = {
  readonly react: React;
  /** Keeps an event whose reactions failed, to be tried again. When this fails too, the log is followed anew. */
  readonly park: (event: StoredEvent, error: unknown) => Promise<void>;
  readonly load: () => Promise<bigint | undefined>;
  readonly save: (position: bigint) => Promise<void>;
  /** Told how far reactions have come: what was loaded, and what comes after it before that is saved. */
  readonly passed: (position: bigint) => void;
  /** Whether it is still for this process to react: what was left to do when it was stopped is another's by now. */
  readonly isMine: () => boolean;
  readonly log: Log;
};

/**
 * The consumer that carries every flow to its end. Events of one stream are handled in order, streams side by side.
 * An event whose reactions fail is kept, and holds up nothing else.
 */
export function reactionConsumer({
  react,
  park,
  load,
  save,
  passed,
  isMine,
  log,
}: Deps): CheckpointedConsumer {
  const requireMine = () => {
    if (!isMine()) throw new Error('the lease of the reactions is lost');
  };
  /** The lease is looked at before, and after whatever takes time. */
  const handle = (stored: StoredEvent, later: readonly StoredEvent[]): Promise<void> | undefined => {
    try {
      const reacting = react(stored, later);
      return reacting && parkFailed(stored, reacting);
    } catch (error) {
      // The others of the page are under way, and are waited for with it.
      return Promise.reject(error);
    }
  };
  const parkFailed = async (stored: StoredEvent, reacting: ReturnType<React>) => {
    const failed = await reacting;
    requireMine();
    if (failed) await park(stored, failed.error);
  };
  const reached = newestEvery(savedEveryMs, (position: bigint) =>
    save(position).catch((error) => log.warn({ err: error }, 'how far reactions have come was not saved')),
  );
  return {
    name: 'policies',
    async checkpoint() {
      const position = await load();
      // Where nothing comes after it, nobody is told anything else.
      if (position !== undefined) passed(position);
      return position;
    },
    async consume(events) {
      requireMine();
      const underway: Promise<void>[] = [];
      for (const own of Map.groupBy(events, streamOf).values()) {
        const handling = inTurn(own, (stored, n) => handle(stored, own.slice(n + 1)));
        if (handling) underway.push(handling);
      }
      if (underway.length > 0) await Promise.all(underway);
      const last = events.at(-1);
      if (!last) return;
      passed(last.position);
      reached.give(last.position);
    },
    close: reached.close,
  };
}

const streamOf = ({ stream }: StoredEvent): string => stream;
