/**
 * Runs commands and, at once, what reactions make of the events. A request so sees its whole flow through; the reaction
 * subscription runs the same reactions again for every event, which finishes what a crash cut short and is harmless
 * otherwise, since a repeated command yields no events.
 */
import type {
  Aggregates,
  CommandOf,
  EventIn,
  EventMetadata,
  ReactionOf,
  RecordedOf,
  StateOf,
} from '../../kernel/aggregate.ts';
import type { PlatformTimes } from '../clock/platform-times.ts';
import type { Folded } from '../closings/fold.ts';
import { timeOfRequest } from '../deadlines/deadline.ts';
import { decodeRecorded } from '../event-store/encoding.ts';
import type { Handled } from './deciding.ts';
import { flowsOf, type IsLeft } from './flows.ts';
import { type CommandHandler, commandHandler, type HandlerDeps } from './handle.ts';
import { rememberSnapshots } from './states.ts';

/** Who runs a command and why, and what it has led to so far. */
export type Cause = Omit<EventMetadata, 'at' | 'platformAt'> & {
  /** Told the position up to which the log has what the command and the reactions after it led to. */
  readonly seen?: (position: bigint) => void;
  /** Throws where what the command rests on is no more: asked once it is decided, before it is recorded. */
  readonly requireSame?: () => void;
};

export type Dispatcher<A extends Aggregates> = {
  /** Runs one command, then the reactions' commands that follow from its events. Throws `Rejected` on a refusal. */
  run<K extends keyof A & string>(
    to: K,
    uuid: string,
    command: CommandOf<A[K]>,
    cause: Cause,
  ): Promise<Handled<StateOf<A[K]>, EventIn<A[K]>>>;
  /**
   * Runs the reactions for one event and the commands that follow from it, unless this process has done so before.
   * Nothing is to be waited for where nothing follows.
   */
  react(event: RecordedOf<A>, cause: Pick<Cause, 'seen'>): Promise<void> | undefined;
  /**
   * Follows recorded events of a stream anew: for a request that finds its own doing of an earlier attempt, which may
   * have been cut short before the reactions had run. Safe to repeat. `about` names the entries, or actions, that the
   * events belong to: without it a long stream is read whole.
   */
  resume<K extends keyof A & string>(
    from: K,
    uuid: string,
    matches: (event: EventIn<A[K]>) => boolean,
    cause: Pick<Cause, 'seen'>,
    about?: readonly string[],
  ): Promise<void>;
  /**
   * The state of one stream as this process has last seen it, where it remembers and has seen it up to a position: it
   * may be old. For what a command decides anew.
   */
  recall<K extends keyof A & string>(from: K, uuid: string, upTo?: bigint): StateOf<A[K]> | undefined;
  /**
   * The state of one stream as the log has it now. `about` names the entries, or actions, that it is to have even where
   * they lie before the last closing of the books.
   */
  load<K extends keyof A & string>(from: K, uuid: string, about?: readonly string[]): Promise<StateOf<A[K]>>;
  /** What a stream has come to, by one who follows the log in this process: it may be old, as what is remembered may be. */
  learn(of: string, stream: string, folded: Folded<unknown>): void;
  /** All states are read again: events say less than they did. What was read before is not remembered either. */
  forget(): void;
};

type Deps = Omit<HandlerDeps, 'snapshots' | 'forgotten'> & {
  /** What is remembered of streams that go on elsewhere is forgotten. */
  readonly onMove?: (forget: (streams: Iterable<string>) => void) => void;
  /** Whether nothing is to follow from an event any more. Absent where no stream ever goes on elsewhere. */
  readonly isLeft?: IsLeft;
  /** The installation's time, at which events are recorded. */
  readonly now: () => Date;
  /** Absent where no platform has a time of its own. */
  readonly times?: Pick<PlatformTimes, 'movedOf' | 'nowOf' | 'isAnyMoved'>;
};

export function createDispatcher<A extends Aggregates>(
  { now, times, onMove, isLeft, ...deps }: Deps,
  aggregates: A,
  reactions: readonly ReactionOf<A>[],
): Dispatcher<A> {
  type AnyHandler = CommandHandler<unknown, unknown, { type: string; data: unknown }>;
  const snapshots = rememberSnapshots();
  let forgotten = 0;
  const forget = () => {
    forgotten++;
    snapshots.clear();
  };
  onMove?.((streams) => {
    for (const stream of streams) snapshots.delete(stream);
  });
  const handlers = new Map<string, AnyHandler>(
    Object.entries(aggregates).map(([name, aggregate]) => [
      name,
      commandHandler({ ...deps, snapshots, forgotten: () => forgotten }, aggregate),
    ]),
  );
  const handlerOf = (name: string): AnyHandler => {
    const handler = handlers.get(name);
    if (!handler) throw new Error(`no aggregate ${name}`);
    return handler;
  };

  const run = async (to: string, uuid: string, command: unknown, cause: Cause) => {
    const { seen, requireSame, ...metadata } = cause;
    const time = timeOfRequest();
    time?.require();
    const requireStill = () => {
      time?.require();
      requireSame?.();
    };
    const proviso = time || requireSame ? { requireStill, latest: time?.latest } : undefined;
    const at = { at: now(), platformAt: times?.movedOf(metadata.platformId) };
    const handled = await handlerOf(to).handle(uuid, command, { ...metadata, ...at }, proviso);
    if (handled.position !== undefined) seen?.(handled.position);
    for (const event of handled.events) {
      const following = flows.follow(event as unknown as RecordedOf<A>, seen);
      if (following) await following;
    }
    return handled;
  };

  const flows = flowsOf({ reactions, run, times, isLeft });
  const react = (event: RecordedOf<A>, { seen }: Pick<Cause, 'seen'>) => flows.react(event, seen);

  const resume = async (
    from: string,
    uuid: string,
    matches: (event: never) => boolean,
    { seen }: Pick<Cause, 'seen'>,
    about: readonly string[] = [],
  ) => {
    const { schemas } = aggregates[from] ?? {};
    if (!schemas) throw new Error(`no aggregate ${from}`);
    for await (const stored of handlerOf(from).recorded(uuid, about)) {
      const event = decodeRecorded<object>(schemas, stored);
      if (!matches(event as never)) continue;
      seen?.(stored.position);
      await flows.follow(event as unknown as RecordedOf<A>, seen);
    }
  };

  return {
    run,
    react,
    resume,
    learn: (of: string, stream: string, folded: Folded<unknown>) => handlerOf(of).learn(stream, folded),
    forget,
    recall: (from: string, uuid: string, upTo?: bigint) => handlerOf(from).recall(uuid, upTo),
    load: (from: string, uuid: string, about?: readonly string[]) => handlerOf(from).load(uuid, about),
  } as unknown as Dispatcher<A>;
}
