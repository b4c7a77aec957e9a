import { InvariantViolation } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import type { CheckpointedConsumer } from '../event-store/follow-log.ts';
import { newestEvery } from '../newest.ts';
import type { Log } from '../observe/log.ts';

/** Often enough: what was done since is done again after a crash, and is harmless. */
const savedEveryMs = 200;

type Deps<Event> = {
  readonly decode: (stored: StoredEvent) => Event;
  /** Run in turn for each event; every one is safe to repeat, and gives nothing to wait for where it has nothing to do. */
  readonly reactions: readonly ((event: Event) => Promise<void> | undefined)[];
  readonly load: () => Promise<bigint | undefined>;
  readonly save: (position: bigint) => Promise<void>;
  /** Whether it is still for this process to react: what was left to do when it was stopped is another's by now. */
  readonly isMine: () => boolean;
  readonly refused: () => void;
  readonly log: Log;
};

/**
 * The consumer that carries every flow to its end. Events of one stream are handled in order, streams side by side.
 * A refused or impossible command of a reaction is final: it is logged for somebody to look at, and holds up nothing else.
 */
export function reactionConsumer<Event>({
  decode,
  reactions,
  load,
  save,
  isMine,
  refused,
  log,
}: Deps<Event>): CheckpointedConsumer {
  const handle = async (stored: StoredEvent) => {
    const event = decode(stored);
    for (const react of reactions) {
      if (!isMine()) throw new Error('the lease of the reactions is lost');
      try {
        const reacting = react(event);
        if (reacting) await reacting;
      } catch (error) {
        if (!(error instanceof Rejected || error instanceof InvariantViolation)) throw error;
        refused();
        log.error({ err: error, eventId: stored.id, type: stored.type }, 'a policy was refused');
      }
    }
  };
  const reached = newestEvery(savedEveryMs, (position: bigint) =>
    save(position).catch((error) => log.warn({ err: error }, 'how far reactions have come was not saved')),
  );
  return {
    name: 'policies',
    checkpoint: load,
    async consume(events) {
      const byStream = Map.groupBy(events, ({ stream }) => stream);
      await Promise.all([...byStream.values()].map((own) => inOrder(own, handle)));
      const last = events.at(-1);
      if (last) reached.give(last.position);
    },
    close: reached.close,
  };
}

async function inOrder<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (const item of items) await work(item);
}
