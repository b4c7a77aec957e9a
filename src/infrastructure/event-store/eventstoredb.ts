import { setImmediate } from 'node:timers/promises';
import {
  AccessDeniedError,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  BACKWARDS,
  type CurrentRevision,
  END,
  ErrorType,
  EventStoreDBClient,
  isCommandError,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  type ResolvedEvent,
  START,
  type StreamingRead,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type { EventMetadata } from '../../kernel/aggregate.ts';
import { invariant } from '../../kernel/invariant.ts';
import { within } from '../deadlines/within.ts';
import { retrying, type Warns } from './backoff.ts';
import {
  type Appended,
  AppendTooLarge,
  type EventStore,
  type ExpectedRevision,
  type JsonObject,
  type LogCalled,
  type NewEvent,
  type StoredEvent,
  type Subscription,
  WrongRevision,
} from './event-store.ts';
import { newestOf } from './newest-of-ours.ts';
import { deniedOf, probe, type Right, revisionOfNone } from './probe.ts';
import { subscribe } from './resuming-subscription.ts';
import { areSame } from './seal.ts';
import { ServerSilent } from './server-silent.ts';
import { appendingInTime } from './timely-appends.ts';

export type EventStoreDbOptions = {
  /** `esdb://…` or `esdb+discover://…`. Its user must be allowed to append, and to read `$all`. */
  readonly url: string;
  /** Stands before the name of every stream in the database; the names of the port are without it. */
  readonly streamPrefix?: string;
  /** An append may take this long; a read, and a subscription that starts, may be silent this long. */
  readonly deadlineMs?: number;
  readonly log: Warns;
  /** Told of each call, retries included, and of the bytes of JSON that it sends. */
  readonly called?: LogCalled;
  /** Instead of a client over the network. */
  readonly connect?: (url: string) => EventStoreDbClient;
};

/** What is asked of the client of a server. */
export type EventStoreDbClient = Pick<
  EventStoreDBClient,
  'appendToStream' | 'readStream' | 'readAll' | 'subscribeToAll' | 'dispose'
>;

/** Servers before 22.6 send 2^64 − 1 where the position of an event should be. */
const positionMax = 2n ** 63n - 1n;

/** What a client is given to let go of what it has open. */
const disposeMaxMs = 1_000;

export type EventStoreDb = EventStore & {
  /** Which of these the user of the address has not: each is tried, and nothing is written. */
  missingRights(rights: readonly Right[]): Promise<readonly Right[]>;
};

/** The log in EventStoreDB (22.6 or newer). Transient errors are retried, for a bounded time in appends and reads. */
export function eventStoreDb(options: EventStoreDbOptions): EventStoreDb {
  const { url, streamPrefix = 'daybook.', deadlineMs = 4_000, log, called = ignore } = options;
  const client = options.connect
    ? options.connect(url)
    : appendingInTime(EventStoreDBClient.connectionString(url), deadlineMs);
  const { toStored, readOnce, lastOnce, appendOnce, openAfter } = callsOf(
    client,
    streamPrefix,
    deadlineMs,
    called,
  );
  const subscriptions = new Set<Subscription>();

  /** The server recognises most repeats by itself; this settles those that it takes for conflicts. */
  const repeated = async (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) => {
    const there = await readOnce(stream, expected === 'none' ? 0 : expected + 1, events.length);
    const last = there.at(-1);
    return last && areSame(there, events) ? { revision: last.revision, position: last.position } : undefined;
  };

  const tries: Readonly<Record<Right, () => Promise<unknown>>> = {
    append: () => appendOnce('rights', revisionOfNone, [probe()]).catch(unlessConflict),
    read: () => readOnce('rights', 0, 1),
    subscribe: async () => {
      await lastOnce();
      await confirmed(openAfter(undefined, ['rights'], 1));
    },
  };

  return {
    missingRights: (rights) =>
      deniedOf(rights, (right) => retrying(isTransient, log, tries[right]), isDenied),
    async append(stream, expected, events, proviso): Promise<Appended> {
      // The client serializes where an error would be unhandled; here it reaches the caller.
      const text = JSON.stringify(events.map(({ data, metadata }) => [data, metadata]));
      proviso?.requireStill();
      return retrying(isTransient, log, async () => {
        called('append', Buffer.byteLength(text));
        try {
          return await appendOnce(stream, expected, events);
        } catch (error) {
          if (error instanceof MaxAppendSizeExceededError)
            throw new AppendTooLarge(stream, events.length, { cause: error });
          if (!(error instanceof WrongExpectedVersionError)) throw error;
          const appended = await repeated(stream, expected, events);
          if (appended) return appended;
          throw new WrongRevision(stream, expected, actualRevision(error.actualVersion));
        }
      });
    },
    read: (stream, from = 0, most) => retrying(isTransient, log, () => readOnce(stream, from, most)),
    last: () => retrying(isTransient, log, lastOnce),
    subscribeToAll(wanted) {
      const { streamPrefixes = [''], batchMax = 500 } = wanted;
      const open = (after: bigint | undefined) => openAfter(after, streamPrefixes, batchMax);
      const subscription = subscribe(open, toStored, { ...wanted, batchMax }, log);
      const forget = () => subscriptions.delete(subscription);
      subscriptions.add(subscription);
      subscription.done.then(forget, forget);
      return subscription;
    },
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
      // The client waits for streams to end that nobody reads any more: where the server fell silent, for ever.
      await within(disposeMaxMs, client.dispose());
    },
  };
}

/** What is asked of a server, each time once: to ask again is up to the caller. */
function callsOf(client: EventStoreDbClient, streamPrefix: string, deadlineMs: number, called: LogCalled) {
  const toStored = storedEvents(streamPrefix);

  const readOnce = async (stream: string, from: number, maxCount = Number.MAX_SAFE_INTEGER) => {
    const range = { fromRevision: BigInt(from), maxCount, requiresLeader: true };
    called('read', 0);
    const resolved = await collect(client.readStream(streamPrefix + stream, range), deadlineMs);
    if (from === 0 && resolved?.length === 0) throw new ServerSilent(`no event of ${stream}, which is there`);
    return resolved?.map(toStored) ?? [];
  };

  const newest = newestOf(streamPrefix);
  const lastOnce = () =>
    newest((isFound) => {
      const options = { direction: BACKWARDS, fromPosition: END, requiresLeader: true } as const;
      return collect(client.readAll(options), deadlineMs, isFound).then((found = []) => found);
    });

  const appendOnce = async (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) => {
    const expectedRevision: AppendExpectedRevision = expected === 'none' ? NO_STREAM : BigInt(expected);
    const proposed = events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data, metadata }));
    const call = { expectedRevision, requiresLeader: true, deadline: deadlineMs };
    // A fresh turn of the event loop: an error handled in the same turn may close the channel between the client's
    // choice of it and the call, and the client answers that with an unhandled rejection.
    await setImmediate();
    // The client finds the node of a cluster before the deadline of the call begins, and does not send it after that.
    const result = await within(deadlineMs, client.appendToStream(streamPrefix + stream, proposed, call));
    if (result === 'late') throw new ServerSilent(`nothing appended for ${deadlineMs} ms`);
    const revision = Number(result.nextExpectedRevision);
    if (result.position) return { revision, position: result.position.commit };
    const [last] = await readOnce(stream, revision, 1);
    invariant(last, `${stream} has no event ${revision} right after its append`);
    return { revision, position: last.position };
  };

  // Resumes exactly. An event appended by this protocol is a record that is committed by itself, so its commit and
  // prepare positions are both the place of that record in the log, also inside an append of several events. A
  // subscription starts with the first record after the given place, hence {commit: p, prepare: p} continues with
  // the event after p. Only places of events are used, never checkpoints of the filter: there are servers that
  // send one lying on an event they have yet to send (kurrent-io/KurrentDB#4975).
  const openAfter = (after: bigint | undefined, prefixes: readonly string[], highWaterMark: number) => {
    const fromPosition = after === undefined ? START : { commit: after, prepare: after };
    const filter = streamNameFilter({ prefixes: prefixes.map((prefix) => streamPrefix + prefix) });
    return guarded(client.subscribeToAll({ fromPosition, filter }, { highWaterMark }), deadlineMs);
  };

  return { toStored, readOnce, lastOnce, appendOnce, openAfter };
}

/** What a read yields, or the first of it that is looked for; `undefined` where the server says that there is no such stream. */
async function collect<Event extends ResolvedEvent | AllStreamResolvedEvent>(
  reading: StreamingRead<Event>,
  deadlineMs: number,
  isLookedFor?: (event: Event) => boolean,
): Promise<Event[] | undefined> {
  reading.on('error', ignore);
  const silent = () => reading.destroy(new ServerSilent(`nothing read for ${deadlineMs} ms`));
  const timer = setTimeout(silent, deadlineMs);
  const resolved: Event[] = [];
  try {
    for await (const event of reading.iterator({ destroyOnReturn: false })) {
      timer.refresh();
      if (isLookedFor?.(event)) return [event];
      if (!isLookedFor) resolved.push(event);
    }
    return resolved;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    reading.cancel().catch(ignore);
    // What the server had sent before it heard of that has to be read: until then the client counts the call as open.
    reading.resume();
  }
}

/** Ends a subscription that the server does not confirm in time, and keeps its late errors from being unhandled. */
function guarded(live: AllStreamSubscription, deadlineMs: number): AllStreamSubscription {
  const silent = () => live.destroy(new ServerSilent(`no subscription within ${deadlineMs} ms`));
  const timer = setTimeout(silent, deadlineMs);
  const clear = () => clearTimeout(timer);
  return live.on('error', ignore).once('confirmation', clear).once('close', clear);
}

/** Resolves when the server has taken the subscription, which then ends. Throws what it says otherwise. */
async function confirmed(live: AllStreamSubscription): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => live.once('confirmation', resolve).once('error', reject));
  } finally {
    live.destroy();
    live.unsubscribe().catch(ignore);
  }
}

function unlessConflict(error: unknown): void {
  if (!(error instanceof WrongExpectedVersionError)) throw error;
}

const storedEvents =
  (streamPrefix: string) =>
  ({ event }: ResolvedEvent | AllStreamResolvedEvent): StoredEvent => {
    invariant(event?.isJson, 'every event of this service is JSON');
    const { id, type, streamId, revision, position } = event;
    invariant(position && position.commit <= positionMax, 'EventStoreDB 22.6 or newer is needed');
    const data = event.data as JsonObject;
    const metadata = event.metadata as EventMetadata;
    const stream = streamId.slice(streamPrefix.length);
    return { id, type, data, metadata, stream, revision: Number(revision), position: position.commit };
  };

/** The client says `no_stream`, says nothing or says −1 when there is no stream, depending on the call and the server. */
function actualRevision(actual: CurrentRevision | undefined): ExpectedRevision {
  return typeof actual === 'bigint' && actual >= 0n ? Number(actual) : 'none';
}

const transientTypes: ReadonlySet<ErrorType> = new Set([
  ErrorType.UNAVAILABLE,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  ErrorType.CANCELLED,
  ErrorType.NOT_LEADER,
]);
/** gRPC's PERMISSION_DENIED and UNAUTHENTICATED, where the server gives no other name to it. */
const denied: ReadonlySet<number> = new Set([7, 16]);
const isDenied = (error: unknown): boolean =>
  error instanceof AccessDeniedError ||
  (error instanceof Error && isCommandError(error) && denied.has(error.code ?? 0));

/** gRPC's INTERNAL: what a stream that the peer reset ends with. */
const streamReset = 13;
/** What gRPC says of an answer that ended before the server had said how the call went. */
const unfinished = /Received HTTP status code \d/;

function isTransient(error: unknown): boolean {
  if (error instanceof ServerSilent) return true;
  if (!(error instanceof Error)) return false;
  if (!isCommandError(error)) return noNode.test(error.message);
  return transientTypes.has(error.type) || error.code === streamReset || unfinished.test(error.message);
}

/** What the client says where no node of a cluster answers; it has no type for that. */
const noNode = /^Failed to discover after/;

const ignore = () => undefined;
