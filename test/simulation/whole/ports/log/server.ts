/**
 * A server of EventStoreDB in memory, for all processes of a life: each asks it by a client of its own, whose calls wait for
 * their turn and may go wrong as those over a network do.
 */
import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import {
  type EventData,
  StreamNotFoundError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type { EventStoreDbClient } from '../../../../../src/infrastructure/event-store/eventstoredb.ts';
import {
  type Expected,
  type Logged,
  type Proposed,
  type ServerLog,
  serverLog,
} from '../../../../support/servers/eventstoredb-server/log.ts';
import type { Lane, SimulatedProcess } from '../../engine/process.ts';
import type { Turns } from '../../engine/turns.ts';
import type { LogFault } from '../../faults.ts';

type OwnLane = Lane & { readonly process: SimulatedProcess };

export type LogServerDeps = {
  readonly turns: Pick<Turns, 'wait'>;
  readonly strikes: (fault: LogFault) => boolean;
  /** A number from 0 to below this one. */
  readonly below: (limit: number) => number;
  /** Ends a process. */
  readonly crash: (process: SimulatedProcess) => void;
  /** What waits there goes on later, by seconds. */
  readonly late: (lane: Lane) => void;
  /** The client that a process is given in place of its own. */
  readonly changed?: ((client: EventStoreDbClient) => EventStoreDbClient) | undefined;
};

export type LogServer = {
  /** What a process reaches it by. */
  readonly clientOf: (process: SimulatedProcess) => EventStoreDbClient;
};

/** The same log once more: what is added to one of them is not in the other. */
export function copyOf(log: ServerLog): ServerLog {
  const copy = serverLog();
  for (const event of log.all)
    copy.append(event.stream, event.revision === 0 ? 'none' : event.revision - 1, [event]);
  return copy;
}

export function simulateLogServer(log: ServerLog, deps: LogServerDeps): LogServer {
  const { turns, strikes, below, crash, late, changed = (client) => client } = deps;
  let calls = 0;
  const laneFor = (process: SimulatedProcess, kind: string): OwnLane => ({
    name: `${process.name} ${kind} ${++calls}`,
    process,
  });

  const before = (lane: OwnLane) => {
    if (strikes('crash before a call of the log')) crash(lane.process);
    if (strikes('log late by seconds')) late(lane);
  };

  /** One call: what it comes to, or why it is refused. It never ends where the server is silent. */
  const call = <Answer>(process: SimulatedProcess, kind: string, ask: () => Answer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const lane = laneFor(process, kind);
      const answer = AsyncResource.bind((told: () => Answer) => {
        try {
          resolve(told());
        } catch (error) {
          reject(error);
        }
      });
      turns.wait(lane, () => {
        before(lane);
        if (!process.isAlive()) return;
        if (strikes('log is silent before it took it')) return;
        if (strikes('log is away before it took it')) return answer(unavailable);
        const told = outcomeOf(ask);
        if (strikes('crash after a call of the log')) crash(process);
        // On its way back, others may come first.
        turns.wait(lane, () => {
          if (!process.isAlive() || strikes('log is silent after it took it')) return;
          answer(strikes('log is away after it took it') ? unavailable : told);
        });
      });
    });

  const appended = (stream: string, expected: Expected, events: readonly Proposed[]) => {
    const before = log.all.length;
    const outcome = log.append(stream, expected, events);
    const isRepeat = log.all.length === before;
    if (outcome.outcome === 'appended' && !(isRepeat && strikes('log takes a repeat for a conflict'))) {
      const nextExpectedRevision = BigInt(outcome.revision);
      const { position: commit } = outcome;
      const place = strikes('log does not say where it took it')
        ? {}
        : { position: { commit, prepare: commit } };
      return { success: true, nextExpectedRevision, ...place };
    }
    const last = log.stream(stream).length - 1;
    throw new WrongExpectedVersionError(undefined, {
      streamName: stream,
      expected: expected === 'none' ? 'no_stream' : BigInt(Number(expected)),
      current: last < 0 ? 'no_stream' : BigInt(last),
    });
  };

  /** Events from a place on, as they come: some at a time, until it ends. */
  const follow = (process: SimulatedProcess, { after: place, prefixes }: Wanted): Readable => {
    const lane = laneFor(process, 'follows the log');
    const live = asClient(new Readable({ objectMode: true, read: () => undefined }));
    let next = log.all.findIndex(({ position }) => place === undefined || position > place);
    if (next < 0) next = log.all.length;
    let isWaiting = false;
    let isConfirmed = false;
    const isWanted = ({ stream }: Logged) => prefixes.some((prefix) => stream.startsWith(prefix));
    const say = AsyncResource.bind((tell: () => void) => tell());
    const send = () => {
      isWaiting = false;
      before(lane);
      if (live.destroyed || !process.isAlive()) return forget();
      if (strikes('log ends a subscription')) {
        forget();
        return say(() => void live.destroy(new UnavailableError(unavailableCause)));
      }
      const wasConfirmed = isConfirmed;
      isConfirmed = true;
      const some = log.all.slice(next, next + 1 + below(2 * Math.max(1, log.all.length - next)));
      next += some.length;
      say(() => {
        if (!wasConfirmed) live.emit('confirmation');
        for (const event of some) if (isWanted(event)) live.push(resolved(event));
      });
      if (next < log.all.length) wake();
    };
    const wake = () => {
      if (isWaiting) return;
      isWaiting = true;
      turns.wait(lane, send);
    };
    const forget = log.onAppend(wake);
    live.once('close', forget);
    wake();
    return live;
  };

  /** What a call comes to, one after the other. */
  const reading = (process: SimulatedProcess, kind: string, find: () => readonly Logged[]): Readable => {
    const found = call(process, kind, find).then((events) => events.values());
    const next = async () => {
      const { done, value } = (await found).next();
      live.push(done ? null : resolved(value));
    };
    const live = new Readable({
      objectMode: true,
      read: () => void next().catch((error) => void live.destroy(error)),
    });
    return asClient(live);
  };

  return {
    clientOf(process) {
      const client = {
        appendToStream(stream: string, events: EventData | readonly EventData[], options: Options) {
          const proposed = [events].flat().map((event) => proposedOf(event as EventData));
          return call(process, 'appends', () => appended(stream, expectedOf(options), proposed));
        },
        readStream(stream: string, { fromRevision = 0n, maxCount = Number.MAX_SAFE_INTEGER }: Options = {}) {
          return reading(process, 'reads', () => {
            const there = log.stream(stream);
            if (there.length === 0) throw new StreamNotFoundError(undefined, stream);
            return there.slice(Number(fromRevision)).slice(0, maxCount);
          });
        },
        readAll: () => reading(process, 'reads the end', () => log.everything.toReversed()),
        subscribeToAll({ fromPosition, filter }: Options) {
          const place = typeof fromPosition === 'object' ? fromPosition.commit : undefined;
          return follow(process, { after: place, prefixes: filter?.prefixes ?? [''] });
        },
        dispose: async () => undefined,
      };
      return changed(client as unknown as EventStoreDbClient);
    },
  };
}

type Wanted = { readonly after: bigint | undefined; readonly prefixes: readonly string[] };
/** Those of all calls. */
type Options = {
  readonly expectedRevision?: bigint | 'no_stream' | 'any';
  readonly fromRevision?: bigint;
  readonly maxCount?: number;
  readonly fromPosition?: 'start' | { readonly commit: bigint };
  readonly filter?: { readonly prefixes?: readonly string[] };
};

/** As the client hands out what it reads. */
function asClient(live: Readable): Readable {
  const end = async () => void live.destroy();
  return Object.assign(live, { cancel: end, unsubscribe: end });
}

function expectedOf({ expectedRevision = 'no_stream' }: Options): Expected {
  if (expectedRevision === 'any') return 'any';
  return expectedRevision === 'no_stream' ? 'none' : Number(expectedRevision);
}

const proposedOf = ({ id, type, contentType, data, metadata }: EventData): Proposed => ({
  ...{ id, type, contentType },
  data: Buffer.from(JSON.stringify(data)),
  metadata: Buffer.from(JSON.stringify(metadata)),
});

function resolved({ id, type, stream, revision, position, data, metadata }: Logged) {
  const event = {
    ...{ id, type, isJson: true, streamId: stream, revision: BigInt(revision) },
    position: { commit: position, prepare: position },
    data: parsed(data),
    metadata: parsed(metadata),
  };
  return { event, commitPosition: position };
}

/** Events of the server itself have no metadata. */
const parsed = (bytes: Uint8Array): unknown =>
  bytes.length === 0 ? undefined : JSON.parse(Buffer.from(bytes).toString());

/** What is told later, as it was then. */
function outcomeOf<Answer>(ask: () => Answer): () => Answer {
  try {
    const answer = ask();
    return () => answer;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

const unavailableCause = Object.assign(new Error('14 UNAVAILABLE: the connection is lost'), {
  code: 14,
}) as unknown as ConstructorParameters<typeof UnavailableError>[0];

function unavailable(): never {
  throw new UnavailableError(unavailableCause);
}
