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
  InstructionOf,
  ReactionOf,
  RecordedOf,
  StateOf,
} from '../../kernel/aggregate.ts';
import type { PlatformTimes } from '../clock/platform-times.ts';
import type { Folded } from '../closings/fold.ts';
import { timeOfRequest, whateverTheTime } from '../deadline.ts';
import { decodeRecorded } from '../event-store/encoding.ts';
import { createMemory } from '../remembered/memory.ts';
import { PassingMap } from '../remembered/passing.ts';
import type { Handled } from './deciding.ts';
import { type CommandHandler, commandHandler, type HandlerDeps } from './handle.ts';
import { rememberSnapshots } from './states.ts';

/** Events whose reactions are known to have run, so that the subscription need not run them again. */
export const reactedMax = 10_000;

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
  /** All states are read again: events say less than they did. */
  forget(): void;
};

/** What follows from one event while it is being carried out, how far the log has it by now, and who is told so at the end. */
type Flow = {
  done: Promise<void> | undefined;
  position: bigint | undefined;
  readonly told: ((position: bigint) => void)[];
};

type Deps = Omit<HandlerDeps, 'snapshots'> & {
  /** What is remembered of streams that go on elsewhere is forgotten. */
  readonly onMove?: (forget: (streams: Iterable<string>) => void) => void;
  /** The installation's time, at which events are recorded. */
  readonly now: () => Date;
  /** Absent where no platform has a time of its own. */
  readonly times?: Pick<PlatformTimes, 'movedOf' | 'nowOf' | 'isAnyMoved'>;
};

export function createDispatcher<A extends Aggregates>(
  { now, times, onMove, ...deps }: Deps,
  aggregates: A,
  reactions: readonly ReactionOf<A>[],
): Dispatcher<A> {
  type Following = readonly (readonly InstructionOf<A>[])[];
  type AnyHandler = CommandHandler<unknown, unknown, { type: string; data: unknown }>;
  const snapshots = rememberSnapshots();
  onMove?.((streams) => {
    for (const stream of streams) snapshots.delete(stream);
  });
  const handlers = new Map<string, AnyHandler>(
    Object.entries(aggregates).map(([name, aggregate]) => [
      name,
      commandHandler({ ...deps, snapshots }, aggregate),
    ]),
  );
  const reacted = createMemory(reactedMax);
  const flows = new PassingMap<string, Flow>();
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
      const following = follow(event as unknown as RecordedOf<A>, seen);
      if (following) await following;
    }
    return handled;
  };

  /**
   * Runs what follows from an event. The request that recorded it and the subscription may both come to this at the
   * same moment; the second waits for the run of the first, and so for all that it leads to.
   */
  const follow = (event: RecordedOf<A>, seen: Cause['seen']): Promise<void> | undefined => {
    let flow = flows.get(event.id);
    if (!flow) {
      const following = reactions.map((reaction) => reaction(event)).filter(({ length }) => length > 0);
      if (following.length === 0) {
        reacted.add(event.id);
        return undefined;
      }
      flow = startFlow(event, following);
    }
    if (seen) flow.told.push(seen);
    return flow.done;
  };

  const startFlow = (event: RecordedOf<A>, following: Following): Flow => {
    const flow: Flow = { done: undefined, told: [], position: undefined };
    flows.set(event.id, flow);
    flow.done = whateverTheTime(() => carryOut(event, following, flow));
    return flow;
  };

  const carryOut = async (event: RecordedOf<A>, following: Following, flow: Flow): Promise<void> => {
    const { platformId, correlationId } = event.metadata;
    const seen = (position: bigint) => {
      if (flow.position === undefined || position > flow.position) flow.position = position;
    };
    const cause = { platformId, correlationId, causationId: event.id, actor: 'policy', seen };
    const failures: unknown[] = [];
    // The commands of one reaction rest on each other; those of another do not.
    for (const instructions of following) {
      try {
        for (const { to, uuid, command, platformId: other } of instructions) {
          if (other === undefined || other === platformId) await run(to, uuid, command, cause);
          else await run(to, uuid, inTimeOf(other, command), { ...cause, platformId: other });
        }
      } catch (error) {
        failures.push(error);
      }
    }
    flows.delete(event.id);
    if (flow.position !== undefined) for (const told of flow.told) told(flow.position);
    if (failures.length > 0) throw failures[0];
    reacted.add(event.id);
  };

  /** What one platform's event leads to for another happens in the time of that one. */
  const inTimeOf = (platformId: string, command: unknown): unknown => {
    const isTimed = typeof command === 'object' && command !== null && 'at' in command;
    return times?.isAnyMoved() && isTimed ? { ...command, at: times.nowOf(platformId) } : command;
  };

  const react = (event: RecordedOf<A>, { seen }: Pick<Cause, 'seen'>): Promise<void> | undefined =>
    reacted.has(event.id) ? undefined : follow(event, seen);

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
      await follow(event as unknown as RecordedOf<A>, seen);
    }
  };

  return {
    run,
    react,
    resume,
    learn: (of: string, stream: string, folded: Folded<unknown>) => handlerOf(of).learn(stream, folded),
    forget: () => snapshots.clear(),
    recall: (from: string, uuid: string, upTo?: bigint) => handlerOf(from).recall(uuid, upTo),
    load: (from: string, uuid: string, about?: readonly string[]) => handlerOf(from).load(uuid, about),
  } as unknown as Dispatcher<A>;
}
