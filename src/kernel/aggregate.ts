/** Kinds of streams side by side: what an aggregate is, what is recorded of it, and what follows from an event. */
import type { EventSchemas } from './codecs.ts';
import type { Decider } from './decider.ts';
import type { KeyedHistory } from './keyed-history.ts';

/** An Idempotency-Key, as its holder uses it for one operation: a digest of these, and when it was first used. */
export type UsedKey = { readonly scope: string; readonly since: string };

/** Who did what, for whom, and because of what. `at` is the installation's time in ISO 8601. */
export type EventMetadata = {
  readonly platformId: string;
  /** The request, timer or subscription that started the chain of events. */
  readonly correlationId: string;
  /** The event or request that directly caused this event. */
  readonly causationId: string;
  /** Of the request that directly caused this event. */
  readonly key?: UsedKey;
  readonly actor: string;
  readonly at: string;
  /** The platform's own time, where its clock was moved in the sandbox. */
  readonly platformAt?: string;
  /** The event that this one is a copy of, where the platform was put back to a snapshot: nothing follows from it anew. */
  readonly copyOf?: string;
  /** Where texts of the data are sealed: about whom they are, and the texts; without these none was ever readable. */
  readonly personal?: { readonly of: readonly string[]; readonly box?: string };
  /** Hash of the event before it in its stream, and its own: of an event that the log has. */
  readonly previousHash?: string;
  readonly hash?: string;
};

/** When it was for the platform, by its own clock. */
export const platformTimeOf = ({ at, platformAt }: EventMetadata): Date => new Date(platformAt ?? at);

export type AnyEvent = { readonly type: string; readonly data: unknown };

/** What a state has by key, of which a closing of the books leaves only a part in memory. */
export type HistoryRules<State, Message> = {
  readonly of: (state: State) => KeyedHistory<unknown> | undefined;
  readonly put: (state: State, history: KeyedHistory<unknown>) => State;
  /** Of the values before a closing, whether one is needed whatever is asked for. */
  readonly stays: (value: unknown) => boolean;
  /** The keys whose values decide what a command leads to, or what becomes of an event, in the state before it. */
  readonly keysOf: (message: Message, state: State) => readonly string[];
};

/** How the books of a long stream are closed, so that it is read from its last closing on. */
export type ClosingRules<State, Message> = {
  /** Of the fold and of the state's shape: a change of either is a new version, and its closings are made anew. */
  readonly version: number;
  readonly history?: HistoryRules<State, Message>;
};

/** One kind of stream: its name's first part, its rules, and the schemas of its events. */
export type Aggregate<State, Command, Event extends AnyEvent> = {
  readonly category: string;
  readonly schemas: EventSchemas;
  readonly decider: Decider<State, Command, Event>;
  /** Throws when an event must never enter the log, whatever was decided. */
  readonly check?: (event: Event) => void;
  /** About how many bytes the parts of a state take whose number has no small bound. Takes no time. */
  readonly extraBytes?: (state: State) => number;
  /** Whether next to nothing is asked of the stream any more, so that its state is not worth remembering. */
  readonly isOver?: (state: State) => boolean;
  /** Absent for streams that stay short. */
  readonly closing?: ClosingRules<State, Command | Event>;
};

export type RecordedEvent<Event> = Event & {
  readonly id: string;
  readonly stream: string;
  readonly position: bigint;
  readonly metadata: EventMetadata;
};

// biome-ignore lint/suspicious/noExplicitAny: the one place where aggregates of all types stand side by side
export type AnyAggregate = Aggregate<any, any, any>;
export type Aggregates = Readonly<Record<string, AnyAggregate>>;

export type StateOf<A> = A extends Aggregate<infer State, infer _C, infer _E> ? State : never;
export type CommandOf<A> = A extends Aggregate<infer _S, infer Command, infer _E> ? Command : never;
export type EventIn<A> = A extends Aggregate<infer _S, infer _C, infer Event> ? Event : never;

/** A command and the stream it is for. */
export type InstructionOf<A extends Aggregates> = {
  [K in keyof A & string]: {
    readonly to: K;
    readonly uuid: string;
    readonly command: CommandOf<A[K]>;
    /** The platform that the command is for, where it is not that of the event. */
    readonly platformId?: string;
  };
}[keyof A & string];

export type RecordedOf<A extends Aggregates> = { [K in keyof A]: RecordedEvent<EventIn<A[K]>> }[keyof A];

/** Event in, commands out; pure, and safe to repeat. */
export type ReactionOf<A extends Aggregates> = (event: RecordedOf<A>) => readonly InstructionOf<A>[];

/** A recorded event with what its stream has come to by it. `of` names the kind of stream. */
export type FollowedOf<A extends Aggregates> = {
  [K in keyof A & string]: RecordedEvent<EventIn<A[K]>> & {
    readonly of: K;
    readonly revision: number;
    readonly state: StateOf<A[K]>;
  };
}[keyof A & string];
