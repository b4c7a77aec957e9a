/**
 * Runs commands and, at once, what policies make of the events. A request so sees its whole flow through; the policy
 * subscription runs the same policies again for every event, which finishes what a crash cut short and is harmless
 * otherwise, since a repeated command yields no events.
 */
import { LRUCache } from 'lru-cache';
import { decodeEvent } from '../event-store/encoding.ts';
import type { EventMetadata } from '../event-store/event-store.ts';
import {
  type Aggregate,
  type CommandHandler,
  commandHandler,
  type Handled,
  type HandlerDeps,
  type RecordedEvent,
} from './handle.ts';

/** Events whose policies are known to have run, so that the subscription need not run them again. */
const reactedMax = 100_000;

// biome-ignore lint/suspicious/noExplicitAny: the one place where aggregates of all types stand side by side
type AnyAggregate = Aggregate<any, any, any>;
export type Aggregates = Readonly<Record<string, AnyAggregate>>;

type StateOf<A> = A extends Aggregate<infer State, infer _C, infer _E> ? State : never;
type CommandOf<A> = A extends Aggregate<infer _S, infer Command, infer _E> ? Command : never;
type EventOf<A> = A extends Aggregate<infer _S, infer _C, infer Event> ? Event : never;

/** A command and the stream it is for. */
export type Instruction<A extends Aggregates> = {
  [K in keyof A & string]: {
    readonly to: K;
    readonly uuid: string;
    readonly command: CommandOf<A[K]>;
    /** The platform that the command is for, where it is not that of the event. */
    readonly platformId?: string;
  };
}[keyof A & string];

export type RecordedOf<A extends Aggregates> = { [K in keyof A]: RecordedEvent<EventOf<A[K]>> }[keyof A];

/** Event in, commands out; pure, and safe to repeat. */
export type Policy<A extends Aggregates> = (event: RecordedOf<A>) => readonly Instruction<A>[];

/** Who runs a command and why, and what it has led to so far. */
export type Cause = Omit<EventMetadata, 'at'> & {
  /** Told the position up to which the log has what the command and the policies after it led to. */
  readonly seen?: (position: bigint) => void;
};

export type Dispatcher<A extends Aggregates> = {
  /** Runs one command, then the policies' commands that follow from its events. Throws `Rejected` on a refusal. */
  run<K extends keyof A & string>(
    to: K,
    uuid: string,
    command: CommandOf<A[K]>,
    cause: Cause,
  ): Promise<Handled<StateOf<A[K]>, EventOf<A[K]>>>;
  /** Runs the policies for one event and the commands that follow from it, unless this process has done so before. */
  react(event: RecordedOf<A>, cause: Pick<Cause, 'seen'>): Promise<void>;
  /**
   * Follows recorded events of a stream anew: for a request that finds its own doing of an earlier attempt, which may
   * have been cut short before the policies had run. Safe to repeat.
   */
  resume<K extends keyof A & string>(
    from: K,
    uuid: string,
    matches: (event: EventOf<A[K]>) => boolean,
    cause: Pick<Cause, 'seen'>,
  ): Promise<void>;
  /** The state of one stream as the log has it now. */
  load<K extends keyof A & string>(from: K, uuid: string): Promise<StateOf<A[K]>>;
};

/** What follows from one event while it is being carried out, and how far the log has it by now. */
type Flow = { readonly done: Promise<void>; readonly position: bigint | undefined };

type Deps = HandlerDeps & { readonly now: () => Date };

export function createDispatcher<A extends Aggregates>(
  { now, ...handlerDeps }: Deps,
  aggregates: A,
  policies: readonly Policy<A>[],
): Dispatcher<A> {
  type AnyHandler = CommandHandler<unknown, unknown, { type: string; data: unknown }>;
  const handlers = new Map<string, AnyHandler>(
    Object.entries(aggregates).map(([name, aggregate]) => [name, commandHandler(handlerDeps, aggregate)]),
  );
  const reacted = new LRUCache<string, true>({ max: reactedMax });
  const flows = new Map<string, Flow>();
  const handlerOf = (name: string): AnyHandler => {
    const handler = handlers.get(name);
    if (!handler) throw new Error(`no aggregate ${name}`);
    return handler;
  };

  const run = async (to: string, uuid: string, command: unknown, cause: Cause) => {
    const { seen, ...metadata } = cause;
    const handled = await handlerOf(to).handle(uuid, command, { ...metadata, at: now() });
    if (handled.position !== undefined) seen?.(handled.position);
    for (const event of handled.events)
      await follow(event as unknown as RecordedOf<A>, { ...(seen && { seen }) });
    return handled;
  };

  /**
   * Runs what follows from an event. The request that recorded it and the subscription may both come to this at the
   * same moment; the second waits for the run of the first, and so for all that it leads to.
   */
  const follow = async (event: RecordedOf<A>, { seen }: Pick<Cause, 'seen'>): Promise<void> => {
    const flow = flows.get(event.id) ?? startFlow(event);
    try {
      await flow.done;
    } finally {
      if (flow.position !== undefined) seen?.(flow.position);
    }
  };

  const startFlow = (event: RecordedOf<A>): Flow => {
    const flow: { done: Promise<void>; position: bigint | undefined } = {
      done: Promise.resolve(),
      position: undefined,
    };
    const seen = (position: bigint) => {
      if (flow.position === undefined || position > flow.position) flow.position = position;
    };
    flow.done = runPolicies(event, seen).finally(() => flows.delete(event.id));
    flows.set(event.id, flow);
    return flow;
  };

  const runPolicies = async (event: RecordedOf<A>, seen: (position: bigint) => void): Promise<void> => {
    const { platformId, correlationId } = event.metadata;
    const cause = { platformId, correlationId, causationId: event.id, actor: 'policy', seen };
    for (const policy of policies) {
      for (const { to, uuid, command, platformId } of policy(event)) {
        await run(to, uuid, command, platformId === undefined ? cause : { ...cause, platformId });
      }
    }
    reacted.set(event.id, true);
  };

  const react = async (event: RecordedOf<A>, cause: Pick<Cause, 'seen'>): Promise<void> => {
    if (!reacted.has(event.id)) await follow(event, cause);
  };

  const resume = async (
    from: string,
    uuid: string,
    matches: (event: never) => boolean,
    cause: Pick<Cause, 'seen'>,
  ) => {
    const aggregate = aggregates[from];
    if (!aggregate) throw new Error(`no aggregate ${from}`);
    const { category, schemas } = aggregate;
    for (const stored of await handlerDeps.store.read(`${category}-${uuid}`)) {
      const { id, stream, position, metadata } = stored;
      const event = { ...decodeEvent<object>(schemas, stored), id, stream, position, metadata };
      if (matches(event as never)) await follow(event as unknown as RecordedOf<A>, cause);
    }
  };

  return {
    run,
    react,
    resume,
    load: (from: string, uuid: string) => handlerOf(from).load(uuid),
  } as unknown as Dispatcher<A>;
}
