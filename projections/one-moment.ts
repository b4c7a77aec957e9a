import { sql } from 'kysely';
import type { Database, ReadDb, WriteDb } from './database.ts';

/**
 * What several statements read is of one moment: what one of them shows no other lacks. `tables` are those of them that a
 * rebuild exchanges, in the order of the models: they are held before the moment, or what is read of one that has come
 * since would lack what was written to it.
 */
export const atOneMoment = <T>(
  db: ReadDb,
  tables: readonly (keyof Database)[],
  read: (transaction: WriteDb) => Promise<T>,
): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const held = sql.join(tables.map((table) => sql.table(table)));
      // No moment begins with it.
      await sql`lock table ${held} in access share mode`.execute(transaction);
      return read(transaction);
    });
