import { InvariantViolation } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import type { CheckpointedConsumer } from '../event-store/follow-log.ts';
import { newestEvery } from '../newest.ts';
import type { Log } from '../observe/log.ts';

/** Often enough: what was done since is done again after a crash, and is harmless. */
const savedEveryMs = 200;

type Reacting<Event> = {
  readonly decode: (stored: StoredEvent) => Event;
  /** Run in turn for each event; every one is safe to repeat, and gives nothing to wait for where it has nothing to do. */
  readonly reactions: readonly ((event: Event) => Promise<void> | undefined)[];
  readonly refused: () => void;
  readonly log: Log;
};

type Failed = { readonly error: unknown };

/**
 * Runs all reactions to an event, whatever becomes of each. Returns what the first failure was, if any failed. Nothing is
 * to be waited for where all that follows was done before, as it is for most events.
 */
export type React = (stored: StoredEvent) => Promise<Failed | undefined> | undefined;

export function createReact<Event>({ decode, reactions, refused, log }: Reacting<Event>): React {
  const note = ({ id, type }: StoredEvent, error: unknown): Failed => {
    if (error instanceof Rejected || error instanceof InvariantViolation) refused();
    log.error({ err: error, eventId: id, type }, 'a reaction failed');
    return { error };
  };
  /** From the `n`th reaction on, whose run has begun. */
  const goOn = async (stored: StoredEvent, event: Event, n: number, begun: Promise<void>) => {
    let failed: Failed | undefined;
    const ends = (reacting: Promise<void>) =>
      reacting.catch((error) => {
        const noted = note(stored, error);
        failed ??= noted;
      });
    await ends(begun);
    try {
      for (const reaction of reactions.slice(n + 1)) {
        const reacting = reaction(event);
        if (reacting) await ends(reacting);
      }
    } catch (error) {
      const noted = note(stored, error);
      failed ??= noted;
    }
    return failed;
  };
  return (stored) => {
    try {
      const event = decode(stored);
      for (const [n, reaction] of reactions.entries()) {
        const reacting = reaction(event);
        if (reacting) return goOn(stored, event, n, reacting);
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
  /** Told how far reactions have come, before that is saved. */
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
  const handle = (stored: StoredEvent): Promise<void> | undefined => {
    try {
      requireMine();
      const reacting = react(stored);
      return reacting && parkFailed(stored, reacting);
    } catch (error) {
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
    checkpoint: load,
    async consume(events) {
      /** Of each stream of which something is under way, when that has ended. */
      const underWay = new Map<string, Promise<void>>();
      for (const event of events) {
        const before = underWay.get(event.stream);
        const handling = before ? before.then(() => handle(event)) : handle(event);
        if (handling) underWay.set(event.stream, handling);
      }
      await Promise.all(underWay.values());
      const last = events.at(-1);
      if (!last) return;
      passed(last.position);
      reached.give(last.position);
    },
    close: reached.close,
  };
}
