import { expect } from 'vitest';
import { projections } from '../../../projections/projector/projections.ts';
import { createShadowPool, rebuild } from '../../../projections/projector/rebuild/rebuild.ts';
import { restored } from '../../../src/app/parts/core/event-store.ts';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import { openMovedStreams } from '../../../src/infrastructure/event-store/moved-streams.ts';
import { type PlatformId, uuidOf } from '../../../src/kernel/ids.ts';
import type { Client, Json } from '../http/client.ts';
import { query } from '../postgres/database.ts';
import { booksOf, rowsOf } from '../postgres/read-models.ts';
import { expectStatus } from './flows.ts';

export const takeSnapshot = async (client: Client, name?: string): Promise<Json> =>
  expectStatus(await client.post('/sandbox/snapshots', name === undefined ? undefined : { name }), 201);

export const restoreSnapshot = async (client: Client, { id }: Json): Promise<Json> =>
  expectStatus(await client.post(`/sandbox/snapshots/${id}/restore`), 200);

/** What says where in the log a row comes from, and when it was first used. */
const places = ['position', 'event_id', 'recorded_high', 'projected_after', 'held'];

/** A platform's rows of all read models but for the place in the log that they come from. */
export async function contentOf(url: string, client: Client): Promise<Json> {
  const { id } = expectStatus(await client.get('/config'), 200);
  const platformId = `Platform:${uuidOf(id)}`;
  const tables = Object.entries(await rowsOf(url)).map(([table, rows]) => {
    const own = rows
      .map((row) => JSON.parse(row))
      .filter(({ platform_id }) => platform_id === undefined || platform_id === platformId);
    const contents = own.map((row) =>
      JSON.stringify(Object.entries(row).filter(([column]) => !places.includes(column))),
    );
    return [table, contents.sort()] as const;
  });
  return Object.fromEntries(tables);
}

/** Builds all read models anew from the log, and expects the rows that are there. */
export async function expectRebuilt(url: string, log: EventStore): Promise<void> {
  const live = await rowsOf(url);
  const { db } = booksOf(url);
  const shadow = createShadowPool(url);
  const { store } = await openMovedStreams(log, restored, { tellsFormerMoves: false });
  try {
    await rebuild({ db, shadow, store }, projections);
  } finally {
    await shadow.end();
  }
  expect(await rowsOf(url)).toEqual(live);
}

/** A row of `Token:1` of the platform, as a token leaves it. */
export const addToken = (url: string, platformId: PlatformId) =>
  query(
    url,
    `insert into daybook.api_tokens (id, platform_id, name, client_id, secret_hash, permissions, environment, created_at,
       updated_at)
     values ('Token:1', $1, 'own', 'own', '', '{}', 'sandbox', now(), now())`,
    [platformId],
  );
