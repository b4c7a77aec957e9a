import { type Kysely, sql } from 'kysely';
import { laterIndexes } from '../projector/rebuild/later-indexes.ts';

/**
 * What the books held after each posting, by both clocks. Rows that are there have none of it: `ledger` has to be rebuilt
 * for answers about former moments. That is left to an operator, since it reads the log, and a large table is neither
 * rewritten nor read while services wait to start: the rebuild builds the indexes, too.
 */
export const runningBalances = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table postings
        add column happened_at timestamptz, add column recorded_high timestamptz, add column projected_after bigint,
        add column transaction_id text, add column balance numeric, add column held numeric`.execute(db);
    const { rows } = await sql`select from postings limit 1`.execute(db);
    if (rows.length > 0) return;
    const { indexes, insteadOf } = laterIndexes.postings;
    for (const name of insteadOf) await sql`drop index ${sql.id(name)}`.execute(db);
    for (const [name, definition] of Object.entries(indexes))
      await sql`create index ${sql.id(name)} on postings ${sql.raw(definition)}`.execute(db);
  },
};
