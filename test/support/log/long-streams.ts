/** Streams of a length that no test would write event by event. */
import { onTestFinished } from 'vitest';
import { createReadDb } from '../../../projections/database.ts';
import { migrateBooks } from '../../../projections/migrations/migrate.ts';
import { openEventStore } from '../../../src/app/parts/core/event-store.ts';
import { accountEvents } from '../../../src/domain/accounts/events.ts';
import type { AccountCommand } from '../../../src/domain/accounts/state.ts';
import { type Aggregates, aggregates } from '../../../src/domain/aggregates.ts';
import type { Closings } from '../../../src/infrastructure/closings/closings.ts';
import { postgresClosings } from '../../../src/infrastructure/closings/postgres.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import { encodeEvent } from '../../../src/infrastructure/event-store/encoding.ts';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { migrateLog } from '../../../src/infrastructure/event-store/postgres/schema.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { systemIds, uuidOf } from '../../../src/kernel/ids.ts';
import { accountCredited, accountOpened } from '../builders/accounts.ts';
import { accountId, platformId } from '../builders/identities.ts';
import { usd } from '../builders/money.ts';
import { createDatabase, query } from '../postgres/database.ts';
import { testStart } from '../time/clock.ts';
import { uuidNumber } from '../values/ids.ts';
import { watchedEventStore } from './watched-event-store.ts';

export const accountUuid = uuidOf(accountId);
export const accountStream = `account-${accountUuid}`;
export const metadata = { platformId, correlationId: 'c', causationId: 'c', actor: 'test' };
const recorded = { ...metadata, at: testStart.toISOString() };

/** The log of the account of the builders, which is opened, and then credited by so many deposits of 0.01. */
export const depositedLog = (deposits: number): readonly StoredEvent[] =>
  [accountOpened(), ...Array.from({ length: deposits }, (_, n) => deposited(n + 1))].map((event, n) => ({
    ...encodeEvent(accountEvents, event, recorded),
    id: uuidNumber(n + 1),
    stream: accountStream,
    revision: n,
    position: BigInt(n + 1),
  }));

const deposited = (n: number) =>
  accountCredited({ entryId: `entry-${n}`, amount: usd(1n), balanceAfter: BigInt(n) });

/** A log and books without anything in them. */
export async function emptyLog(): Promise<string> {
  const url = await createDatabase();
  await migrateLog(url);
  const db = createReadDb(createPool({ url, max: 1, name: 'migrations' }));
  await migrateBooks(db).finally(() => db.destroy());
  return url;
}

/** The account of the builders with so many deposits of 1.00, `entry-1` and so on, after what the log has already. */
export async function fillAccount(url: string, deposits: number, firstId = 'entry'): Promise<void> {
  const opened = encodeEvent(accountEvents, accountOpened(), recorded);
  const credited = encodeEvent(accountEvents, accountCredited({ amount: usd(100n) }), recorded);
  await query(
    url,
    `insert into daybook_log.events (position, stream, revision, id, type, data, metadata)
     select head.position + n + 1, $1, n, gen_random_uuid(), case n when 0 then 'AccountOpened' else 'AccountCredited' end,
       case n when 0 then $2::jsonb else $3::jsonb || jsonb_build_object(
         'entryId', $6 || '-' || n,
         'requestedBy', 'request-' || n,
         'balanceAfter', (n * 100)::text
       ) end,
       $4::jsonb
     from generate_series(0, $5::int) as n, (select coalesce(max(position), 0) as position from daybook_log.events) as head`,
    [
      accountStream,
      JSON.stringify(opened.data),
      JSON.stringify(credited.data),
      JSON.stringify(recorded),
      deposits,
      firstId,
    ],
  );
}

type Hooks = {
  /** The code of another version, for one. */
  readonly aggregates?: Aggregates;
  readonly closings?: (closings: Closings) => Closings;
  /** The log, where it is not in Postgres. */
  readonly eventStoreUrl?: string;
};

/** A process that works on the log, and what it reads of it, for the rest of the test. */
export async function startProcess(url: string, hooks?: Hooks) {
  const process = await openProcess(url, hooks);
  onTestFinished(process.close);
  return process;
}

export async function openProcess(
  url: string,
  { aggregates: own = aggregates, closings: wrap, eventStoreUrl }: Hooks = {},
) {
  const log = createLog('silent');
  const store = watchedEventStore(
    await openEventStore({ eventStoreUrl, streamPrefix: 'daybook.', databaseUrl: url, log }),
  );
  const pool = createPool({ url, max: 2, name: 'test-closings' });
  const closings = (wrap ?? ((one) => one))(postgresClosings(pool, log));
  const deps = { store, newEventId: systemIds.uuid, now: () => testStart, closings };
  const commands = createDispatcher(deps, own, []);
  return {
    async close() {
      await store.close();
      await pool.end();
    },
    commands,
    store,
    closings,
    run: (command: AccountCommand) => commands.run('account', accountUuid, command, metadata),
    async load(about: readonly string[] = []) {
      const state = await commands.load('account', accountUuid, about);
      if (state.status === 'none') throw new Error('the account is not open');
      return state;
    },
  };
}

/** How many closings a stream has. */
export async function closingsOf(url: string, stream = accountStream): Promise<number> {
  const [row] = await query<{ n: number }>(
    url,
    'select count(*)::int as n from daybook.closings where stream = $1',
    [stream],
  );
  return row?.n ?? 0;
}
