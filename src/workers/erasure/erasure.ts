/**
 * Erasing a customer: the keys of what the log has of the person are destroyed, and what was made of it elsewhere is
 * cleared. Each step may be repeated; the keys go last but one, since what is to be cleared is found by what they open.
 */

import type { ReadDb } from '../../../projections/database.ts';
import { countErasure } from '../../../projections/kept/checkpoints.ts';
import { projectAgain } from '../../../projections/projector/again.ts';
import { pagesOf } from '../../../projections/projector/rebuild/pages.ts';
import { dropShadowTables } from '../../../projections/projector/rebuild/shadow-tables.ts';
import { eventSchemas } from '../../domain/aggregates.ts';
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import { accountPaidIn } from '../../domain/persons.ts';
import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import type { EventStore, StoredEvent } from '../../infrastructure/event-store/event-store.ts';
import type { PersonKeys } from '../../infrastructure/personal-data/keys.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { createPatience } from '../../infrastructure/remembered/patience.ts';
import { oneAtATime } from '../../infrastructure/scheduling/one-at-a-time.ts';
import { eachOf } from '../../kernel/each-of.ts';
import type { CustomerId, PlatformId } from '../../kernel/ids.ts';
import { erasedWord, mentionedIn, personalPathsOf, takeOut } from '../../kernel/personal.ts';
import { type Clearing, clearOutside, type OpenMail } from './clearing.ts';
import { personsOf } from './persons.ts';

export const erasedChannel = 'daybook_erased';
const pageMax = 1_000;
const atOnceMax = 20;
/** Of those that have failed. */
const rememberedMax = 1_000;

export type Erasure = {
  readonly askedAt: Date;
  /** By the clock of the platform, as `askedAt` is; `undefined` while it is under way. */
  readonly doneAt: Date | undefined;
  /** Of the customer, from before personal texts were sealed: the log goes on having what they say. */
  readonly plainEvents: number | undefined;
};

export type Erasures = {
  /** From now on it is seen through, whatever becomes of this process. Safe to repeat. */
  readonly ask: (customer: Pick<KnownCustomer, 'platformId' | 'customerId'>, at: Date) => Promise<void>;
  /** Sees it through. Safe to repeat, and in several processes at once. */
  readonly carryOut: (customerId: CustomerId) => Promise<void>;
  readonly find: (customerId: CustomerId) => Promise<Erasure | undefined>;
  /** Sees through what was asked for. Throws what one of them has failed with, once all were tried. */
  readonly carryOutAll: () => Promise<void>;
};

type Deps = {
  readonly pool: Pool;
  readonly readDb: ReadDb;
  readonly store: EventStore;
  /** With what was left, where the platform was put back to a snapshot. */
  readonly wholeOf: (platformId: PlatformId) => EventStore | undefined;
  readonly persons: PersonKeys;
  readonly openMail: OpenMail;
  /** The installation's. */
  readonly now: () => Date;
  readonly times: Pick<PlatformTimes, 'nowOf'>;
  /** Whether the read models have come to a position of the log: `false` when waiting has taken long enough. */
  readonly projected: (position: bigint) => Promise<boolean>;
  /** This process, too, forgets what it has read. */
  readonly forget: () => void;
};

type Row = {
  readonly platform_id: PlatformId;
  readonly asked_at: Date;
  readonly done_at: Date | null;
  readonly plain_events: number | null;
};

export function createErasures(deps: Deps): Erasures {
  const { pool, now } = deps;
  // Each reads the whole log, by the connections that everybody reads it by.
  const inTurn = oneAtATime();
  const once = (customerId: CustomerId) => inTurn(() => seeThrough(deps, customerId));
  const patience = createPatience(now, rememberedMax);
  /** Whoever asks while it is carried out waits for that. */
  const underWay = new Map<CustomerId, Promise<void>>();
  const carryOut = (customerId: CustomerId): Promise<void> => {
    const begun =
      underWay.get(customerId) ?? once(customerId).finally(() => void underWay.delete(customerId));
    underWay.set(customerId, begun);
    return begun;
  };

  return {
    ask: (customer, at) => askForErasure(pool, customer, at),
    carryOut,
    async find(customerId) {
      const row = await rowOf(pool, customerId);
      return (
        row && {
          askedAt: row.asked_at,
          doneAt: row.done_at ?? undefined,
          plainEvents: row.plain_events ?? undefined,
        }
      );
    },
    async carryOutAll() {
      const { rows } = await pool.query<{ customer_id: CustomerId }>(
        `select customer_id from erasures where done_at is null and customer_id <> all($2::text[])
         order by asked_at, customer_id limit $1`,
        [atOnceMax, patience.waiting()],
      );
      await eachOf(rows, async ({ customer_id: id }) => {
        await carryOut(id).catch((error) => {
          patience.failed(id);
          throw error;
        });
        patience.forget(id);
      });
    },
  };
}

/** A worker carries it out, unless it is done, or was asked for, already. `at` is when the log says that the customer was erased. */
export const askForErasure = async (
  pool: Pick<Pool, 'query'>,
  { platformId, customerId }: Pick<KnownCustomer, 'platformId' | 'customerId'>,
  at: Date,
): Promise<void> =>
  void (await pool.query(
    'insert into erasures (customer_id, platform_id, asked_at) values ($1, $2, $3) on conflict do nothing',
    [customerId, platformId, at],
  ));

async function rowOf(pool: Pool, customerId: CustomerId): Promise<Row | undefined> {
  const { rows } = await pool.query<Row>('select * from erasures where customer_id = $1', [customerId]);
  return rows[0];
}

async function seeThrough(deps: Deps, customerId: CustomerId): Promise<void> {
  const { pool, readDb, store, persons, now, times, forget } = deps;
  const row = await rowOf(pool, customerId);
  if (!row || row.done_at) return;
  const { platform_id: platformId } = row;
  const last = await store.last();
  // What is made of the log meanwhile would not be cleared: it is tried again.
  if (!(await deps.projected(last))) return;
  const whole = deps.wholeOf(platformId);
  const about = await personsOf({ pool, store, whole, until: last }, customerId);
  const { found, readOn } = whatIsAbout(store, about);
  await readOn(last);
  const clear = () => clearOutside({ pool, openMail: deps.openMail }, { persons: about, found });
  if (!(await clear())) return;
  // What was said meanwhile can be read for the last time, and made rows until its key is gone.
  await readOn(await store.last());
  await persons.destroy(platformId, [...about], now());
  forget();
  await pool.query('select pg_notify($1, $2)', [erasedChannel, customerId]);
  await countErasure(readDb);
  // A rebuild that was cut short has left them; one that is under way is refused.
  await dropShadowTables(readDb);
  const end = await store.last();
  if (!(await deps.projected(end))) return;
  await readOn(end);
  // Once more, for what somebody has written who could still read it.
  if (!(await clear())) return;
  if (!(await projectAgain({ db: readDb, store, projected: deps.projected }, [...found.streams]))) return;
  await pool.query('update erasures set done_at = $2, plain_events = $3 where customer_id = $1', [
    customerId,
    times.nowOf(platformId),
    found.plainEvents,
  ]);
}

/** What the log has about persons: in which streams, and what it says. `readOn` reads all of it that was not read before. */
function whatIsAbout(
  store: EventStore,
  persons: ReadonlySet<string>,
): { readonly found: Clearing; readonly readOn: (until: bigint) => Promise<void> } {
  const found = {
    streams: new Set<string>(),
    texts: new Set<string>(),
    platforms: new Set<string>(),
    plainEvents: 0,
  };
  let after: bigint | undefined;
  const take = (event: StoredEvent) => {
    const schema = eventSchemas[event.type];
    if (!schema) return;
    const { personal, platformId } = event.metadata;
    const paths = personalPathsOf(schema);
    const own = paths.length === 0 ? [] : takeOut(event.data, paths).texts;
    // What is erased already has no texts, and is about the person all the same.
    const named = () => (own.length === 0 ? [] : mentionedIn(event.data));
    const ids = personal ? [...personal.of, ...accountPaidIn(event)] : named();
    if (!ids.some((id) => persons.has(id))) return;
    found.plainEvents += Number(personal === undefined);
    found.streams.add(event.stream);
    found.platforms.add(platformId);
    for (const text of own) if (text !== erasedWord) found.texts.add(text);
  };
  return {
    found,
    async readOn(until) {
      for await (const page of pagesOf(store, { after, until, pageMax }))
        for (const event of page) take(event);
      after = until;
    },
  };
}
