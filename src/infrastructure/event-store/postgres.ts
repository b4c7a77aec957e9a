import type { EventMetadata } from '../../kernel/aggregate.ts';
import type { Log } from '../observe/log.ts';
import { listen } from '../postgres/listen.ts';
import { createPool, type Pool } from '../postgres/pool.ts';
import {
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type JsonObject,
  type NewEvent,
  type StoredEvent,
  type SubscribeOptions,
  type Subscription,
  WrongRevision,
} from './event-store.ts';
import { logChannel, logSchema, migrateLog } from './postgres-schema.ts';

/** At most this many appends travel in one transaction. */
const groupMax = 256;
/** A subscriber looks this often even when no notification came. */
const pollMs = 2_000;

type Waiting = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
};
type Outcome = { outcome: 'appended' | 'repeated' | 'conflict'; revision: bigint; position: bigint };
type Row = {
  position: bigint;
  stream: string;
  revision: bigint;
  id: string;
  type: string;
  data: JsonObject;
  metadata: EventMetadata;
};

const columns = 'position, stream, revision, id, type, data, metadata';
const toStored = (row: Row): StoredEvent => ({ ...row, revision: Number(row.revision) });

/** The log in one append-only Postgres table. Appends that arrive together commit together. */
export async function postgresEventStore(url: string, log: Log): Promise<EventStore> {
  const pool = createPool({ url, max: 6, name: 'log', schema: logSchema });
  await migrateLog(pool);
  const wakers = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of wakers) wake();
  };
  const listener = listen(url, logChannel, wakeAll, log);
  const subscriptions = new Set<Subscription>();
  const append = groupCommit(pool, wakeAll);
  let closed: Promise<void> | undefined;

  return {
    append: (stream, expected, events) =>
      new Promise((resolve, reject) => append({ stream, expected, events, resolve, reject })),
    async read(stream, from = 0) {
      const { rows } = await pool.query<Row>(
        `select ${columns} from ${logSchema}.events where stream = $1 and revision >= $2 order by revision`,
        [stream, from],
      );
      return rows.map(toStored);
    },
    subscribeToAll(options) {
      const subscription = subscribe(pool, wakers, options);
      subscriptions.add(subscription);
      const forget = () => subscriptions.delete(subscription);
      subscription.done.then(forget, forget);
      return subscription;
    },
    close() {
      closed ??= (async () => {
        await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
        await listener.stop();
        await pool.end();
      })();
      return closed;
    },
  };
}

/** While one transaction commits, the appends that arrive wait and leave together in the next. */
function groupCommit(pool: Pool, appended: () => void): (waiting: Waiting) => void {
  const queue: Waiting[] = [];
  let busy = false;

  const drain = async () => {
    busy = true;
    while (queue.length > 0) {
      await commit(pool, queue.splice(0, groupMax));
      appended();
    }
    busy = false;
  };
  return (waiting) => {
    queue.push(waiting);
    if (!busy) void drain();
  };
}

async function commit(pool: Pool, group: readonly Waiting[]): Promise<void> {
  const batch = group.map(({ stream, expected, events }) => ({
    stream,
    expected: expected === 'none' ? -1 : expected,
    events,
  }));
  let outcomes: readonly Outcome[];
  try {
    const result = await pool.query<Outcome>(
      `select outcome, revision, position from ${logSchema}.append($1) order by n`,
      [JSON.stringify(batch)],
    );
    outcomes = result.rows;
  } catch (error) {
    // One append that Postgres cannot store must not fail those that happened to travel with it.
    if (group.length > 1) await Promise.all(group.map((waiting) => commit(pool, [waiting])));
    else group[0]?.reject(error);
    return;
  }
  for (const [n, { stream, expected, resolve, reject }] of group.entries()) {
    const outcome = outcomes[n];
    const revision = Number(outcome?.revision);
    if (!outcome) reject(new Error(`no outcome for the append to ${stream}`));
    else if (outcome.outcome === 'conflict')
      reject(new WrongRevision(stream, expected, revision < 0 ? 'none' : revision));
    else resolve({ revision, position: outcome.position });
  }
}

function subscribe(
  pool: Pool,
  wakers: Set<() => void>,
  { after, streamPrefixes, batchMax = 500, consume }: SubscribeOptions,
): Subscription {
  let position = after ?? 0n;
  let stopped = false;
  let woken = false;
  let release: (() => void) | undefined;
  const wake = () => {
    woken = true;
    release?.();
  };
  wakers.add(wake);

  const sleep = async () => {
    if (woken || stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      release = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    release = undefined;
  };
  const nextPage = async () => {
    const { rows } = await pool.query<Row>(
      `select ${columns} from ${logSchema}.events where position > $1 order by position limit $2`,
      [position, batchMax],
    );
    return rows.map(toStored);
  };
  const run = async () => {
    while (!stopped) {
      woken = false;
      const page = await nextPage();
      const wanted = streamPrefixes
        ? page.filter((event) => streamPrefixes.some((prefix) => event.stream.startsWith(prefix)))
        : page;
      if (wanted.length > 0 && !stopped) await consume(wanted);
      position = page.at(-1)?.position ?? position;
      if (page.length < batchMax) await sleep();
    }
  };
  const done = run().finally(() => wakers.delete(wake));

  return {
    done,
    async stop() {
      stopped = true;
      wake();
      await done.catch(() => undefined);
    },
  };
}
