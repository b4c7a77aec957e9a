import { setImmediate } from 'node:timers/promises';
import {
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
import { retrying, type Warns } from './backoff.ts';
import {
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type JsonObject,
  type NewEvent,
  type StoredEvent,
  type Subscription,
  WrongRevision,
} from './event-store.ts';
import { subscribe } from './resuming-subscription.ts';

export type EventStoreDbOptions = {
  /** `esdb://…` or `esdb+discover://…`. Its user must be allowed to append, and to read `$all`. */
  readonly url: string;
  /** Stands before the name of every stream in the database; the names of the port are without it. */
  readonly streamPrefix?: string;
  /** An append may take this long; a read, and a subscription that starts, may be silent this long. */
  readonly deadlineMs?: number;
  readonly log: Warns;
};

/** Servers before 22.6 send 2^64 − 1 where the position of an event should be. */
const positionMax = 2n ** 63n - 1n;

/** The server took a call and then said nothing for the whole deadline. */
class ServerSilent extends Error {
  override name = 'ServerSilent';
}

/** The log in EventStoreDB (22.6 or newer). Transient errors are retried, for a bounded time in appends and reads. */
export function eventStoreDb(options: EventStoreDbOptions): EventStore {
  const { url, streamPrefix = 'daybook.', deadlineMs = 4_000, log } = options;
  const client = connect(url);
  const subscriptions = new Set<Subscription>();
  const toStored = storedEvents(streamPrefix);

  const readOnce = async (stream: string, from: number, maxCount = Number.MAX_SAFE_INTEGER) => {
    const range = { fromRevision: BigInt(from), maxCount, requiresLeader: true };
    const resolved = await collect(client.readStream(streamPrefix + stream, range), deadlineMs);
    return resolved.map(toStored);
  };

  /** The server's own streams lie between ours. */
  const lastOnce = async () => {
    const options = { direction: BACKWARDS, fromPosition: END, requiresLeader: true } as const;
    const isOurs = ({ event }: AllStreamResolvedEvent) => event?.streamId.startsWith(streamPrefix) ?? false;
    const [newest] = await collect(client.readAll(options), deadlineMs, isOurs);
    return newest?.event?.position?.commit ?? 0n;
  };

  const appendOnce = async (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) => {
    const expectedRevision: AppendExpectedRevision = expected === 'none' ? NO_STREAM : BigInt(expected);
    const proposed = events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data, metadata }));
    const call = { expectedRevision, requiresLeader: true, deadline: deadlineMs };
    // A fresh turn of the event loop: an error handled in the same turn may close the channel between the client's
    // choice of it and the call, and the client answers that with an unhandled rejection.
    await setImmediate();
    const result = await client.appendToStream(streamPrefix + stream, proposed, call);
    const revision = Number(result.nextExpectedRevision);
    if (result.position) return { revision, position: result.position.commit };
    const [last] = await readOnce(stream, revision, 1);
    invariant(last, `${stream} has no event ${revision} right after its append`);
    return { revision, position: last.position };
  };

  /** The server recognises most repeats by itself; this settles those that it takes for conflicts. */
  const repeated = async (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) => {
    const from = expected === 'none' ? 0 : expected + 1;
    const there = await readOnce(stream, from, events.length);
    const last = there.at(-1);
    const same = there.length === events.length && there.every(({ id }, i) => id === events[i]?.id);
    return same && last ? { revision: last.revision, position: last.position } : undefined;
  };

  return {
    async append(stream, expected, events): Promise<Appended> {
      // The client serializes where an error would be unhandled; here it reaches the caller.
      JSON.stringify(events.map(({ data, metadata }) => [data, metadata]));
      return retrying(isTransient, log, async () => {
        try {
          return await appendOnce(stream, expected, events);
        } catch (error) {
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
      const prefixes = (wanted.streamPrefixes ?? ['']).map((prefix) => streamPrefix + prefix);
      const { batchMax = 500 } = wanted;
      // Resumes exactly. An event appended by this protocol is a record that is committed by itself, so its commit and
      // prepare positions are both the place of that record in the log, also inside an append of several events. A
      // subscription starts with the first record after the given place, hence {commit: p, prepare: p} continues with
      // the event after p. Only places of events are used, never checkpoints of the filter: there are servers that
      // send one lying on an event they have yet to send (kurrent-io/KurrentDB#4975).
      const open = (after: bigint | undefined) => {
        const fromPosition = after === undefined ? START : { commit: after, prepare: after };
        const filter = streamNameFilter({ prefixes });
        const live = client.subscribeToAll({ fromPosition, filter }, { highWaterMark: batchMax });
        return guarded(live, deadlineMs);
      };
      const subscription = subscribe(open, toStored, { ...wanted, batchMax }, log);
      const forget = () => subscriptions.delete(subscription);
      subscriptions.add(subscription);
      subscription.done.then(forget, forget);
      return subscription;
    },
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
      await client.dispose();
    },
  };
}

/**
 * A client that sends every append as a call of its own. Left to choose, the client sends appends over one stream
 * whose waiting answers are kept per process, not per client: they have no deadline, an error on one stream fails
 * the appends of all, and an answer that comes after such an error throws where nobody can catch it. The choice
 * also hangs on a call without a deadline.
 */
function connect(url: string): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url);
  Object.assign(client, { supports: () => Promise.resolve(false) });
  return client;
}

/** What a read yields, or the first of it that is looked for; nothing when there is no such stream. */
async function collect<Event extends ResolvedEvent | AllStreamResolvedEvent>(
  reading: StreamingRead<Event>,
  deadlineMs: number,
  isLookedFor?: (event: Event) => boolean,
): Promise<Event[]> {
  reading.on('error', ignore);
  const silent = () => reading.destroy(new ServerSilent(`nothing read for ${deadlineMs} ms`));
  const timer = setTimeout(silent, deadlineMs);
  const resolved: Event[] = [];
  try {
    for await (const event of reading) {
      timer.refresh();
      if (isLookedFor?.(event)) return [event];
      if (!isLookedFor) resolved.push(event);
    }
    return resolved;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return [];
    throw error;
  } finally {
    clearTimeout(timer);
    reading.cancel().catch(ignore);
  }
}

/** Ends a subscription that the server does not confirm in time, and keeps its late errors from being unhandled. */
function guarded(live: AllStreamSubscription, deadlineMs: number): AllStreamSubscription {
  const silent = () => live.destroy(new ServerSilent(`no subscription within ${deadlineMs} ms`));
  const timer = setTimeout(silent, deadlineMs);
  const clear = () => clearTimeout(timer);
  return live.on('error', ignore).once('confirmation', clear).once('close', clear);
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
/** gRPC's INTERNAL: what a stream that the peer reset ends with. */
const streamReset = 13;

function isTransient(error: unknown): boolean {
  if (error instanceof ServerSilent) return true;
  if (!(error instanceof Error) || !isCommandError(error)) return false;
  return transientTypes.has(error.type) || error.code === streamReset;
}

const ignore = () => undefined;
