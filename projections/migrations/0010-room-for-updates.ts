import { type Kysely, sql } from 'kysely';

/** Percent of a page that new rows fill: an update that fits into the rest changes no index. */
const filled = {
  transactions: 60,
  internal_accounts: 50,
  ledger_balances: 20,
  timers: 50,
  // A key is taken before it has an answer, which is many times its size.
  idempotency_keys: 15,
};

export const roomForUpdates = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const [table, percent] of Object.entries(filled))
      await sql`alter table ${sql.id(table)} set (fillfactor = ${sql.lit(percent)})`.execute(db);
  },
};
