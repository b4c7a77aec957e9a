/** Up to which position of the log the figures of an answer hold. */
import { sql } from 'kysely';
import type { ReadDb } from './database.ts';
import { loadCheckpoint, projectionsCheckpoint } from './kept/checkpoints.ts';

/** Rows that were read together with the position up to which they hold. */
export type AsOf<Rows> = { readonly rows: Rows; readonly asOf: bigint };

/** A column that is read with the rows, in one statement: rows and checkpoint are changed in one transaction. */
export const asOfColumn = sql<bigint | null>`
  (select position from checkpoints where name = ${sql.lit(projectionsCheckpoint)})`.as('as_of');

/** The position that has come with rows; without one nothing is there that another position could change. */
export const asOfRows = async (
  db: ReadDb,
  [first]: readonly { readonly as_of: bigint | null }[],
): Promise<bigint> => first?.as_of ?? (await loadCheckpoint(db, projectionsCheckpoint)) ?? 0n;
