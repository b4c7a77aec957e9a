/** Up to which position of the log the figures of an answer hold. */
import { sql } from 'kysely';
import type { Database, ReadDb } from './database.ts';
import { loadCheckpoint, projectionsCheckpoint } from './kept/checkpoints.ts';
import { atOneMoment } from './one-moment.ts';

/** Rows that were read together with the position up to which they hold. */
export type AsOf<Rows> = { readonly rows: Rows; readonly asOf: bigint };

/** A column that is read with the rows, in one statement: rows and checkpoint are changed in one transaction. */
export const asOfColumn = sql<bigint | null>`
  (select position from checkpoints where name = ${sql.lit(projectionsCheckpoint)})`.as('as_of');

type Found = { readonly rows: readonly { readonly as_of: bigint | null }[] };

/**
 * What `read` finds in the tables, with the position that has come with its rows. Where it finds none, it reads again, at
 * one moment with the position: what has come since the first time is not to be missing from it.
 */
export async function withAsOf<Result extends Found>(
  db: ReadDb,
  tables: readonly (keyof Database)[],
  read: (db: ReadDb) => Promise<Result>,
): Promise<Result & Pick<AsOf<unknown>, 'asOf'>> {
  const found = await read(db);
  const [first] = found.rows;
  if (first) return { ...found, asOf: first.as_of ?? 0n };
  return atOneMoment(db, tables, async (one) => {
    const position = await loadCheckpoint(one, projectionsCheckpoint);
    return { ...(await read(one)), asOf: position ?? 0n };
  });
}
