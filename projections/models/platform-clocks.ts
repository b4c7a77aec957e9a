/** How the clocks of platforms stand that were moved in the sandbox, and how every process hears of it. */
import { type Selectable, sql } from 'kysely';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { Setting } from '../../src/infrastructure/clock/platform-times.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { type Projection, platformOf } from '../projector/projection.ts';
import type { PlatformClocksTable } from '../tables/platform-clocks.ts';

type ClockRow = Selectable<PlatformClocksTable>;

/** Carries a row of `platform_clocks` as JSON. */
export const platformClocksChannel = 'daybook_platform_clocks';

export const platformClocks: Projection = {
  name: 'platform-clocks',
  tables: ['platform_clocks'],
  project(event, rows) {
    const row = rowOfClock(event);
    if (row) rows.put('platform_clocks', row);
  },
};

/** Tells every process of a clock that was moved, when the read models have it. */
export const clockAnnouncements: Projection = {
  name: 'clock-announcements',
  tables: [],
  project(event, rows) {
    const row = rowOfClock(event);
    if (row) rows.later(announce, row);
  },
};

/** `undefined` for events that move no clock. */
function rowOfClock(event: DomainEvent): ClockRow | undefined {
  const own = { platform_id: platformOf(event), position: event.position };
  switch (event.type) {
    case 'PlatformClockFrozen':
    case 'PlatformClockAdvanced':
      return { ...own, frozen_at: event.data.at, ahead_ms: null };
    case 'PlatformClockResumed':
      return { ...own, frozen_at: null, ahead_ms: BigInt(event.data.aheadMs) };
    default:
      return undefined;
  }
}

async function announce(rows: readonly ClockRow[], db: WriteDb): Promise<void> {
  for (const row of rows) {
    const text = JSON.stringify({
      ...row,
      ahead_ms: row.ahead_ms?.toString() ?? null,
      position: row.position.toString(),
    });
    await sql`select pg_notify(${platformClocksChannel}, ${text})`.execute(db);
  }
}

/** What was announced. */
export function announcedSetting(payload: string): Setting {
  const row = JSON.parse(payload);
  return settingOf({
    platform_id: row.platform_id,
    frozen_at: row.frozen_at === null ? null : new Date(row.frozen_at),
    ahead_ms: row.ahead_ms === null ? null : BigInt(row.ahead_ms),
    position: BigInt(row.position),
  });
}

/** What an event does to the clock of its platform; `undefined` where it is not about one. */
export function clockSettingOf(event: DomainEvent): Setting | undefined {
  const { type, position } = event;
  if (type === 'PlatformStateRestored')
    return { platformId: event.data.platformId, standing: undefined, position };
  const row = rowOfClock(event);
  return row && settingOf(row);
}

export const loadClocks = async (db: ReadDb): Promise<readonly Setting[]> =>
  (await db.selectFrom('platform_clocks').selectAll().execute()).map(settingOf);

function settingOf({ platform_id: platformId, frozen_at: at, ahead_ms: ahead, position }: ClockRow): Setting {
  const standing = at
    ? ({ kind: 'frozen', at } as const)
    : ({ kind: 'running', aheadMs: Number(ahead ?? 0n) } as const);
  return { platformId, standing, position };
}
