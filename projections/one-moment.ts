import type { ReadDb, WriteDb } from './database.ts';

/** What several statements read is of one moment: what one of them shows no other lacks. */
export const atOneMoment = <T>(db: ReadDb, read: (transaction: WriteDb) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
