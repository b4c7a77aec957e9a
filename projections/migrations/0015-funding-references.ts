import { type Kysely, sql } from 'kysely';
import { referenceFor } from '../../src/domain/accounts/funding-identifiers.ts';

const pageMax = 1_000;

/** Which account a payer means by a reference: for the accounts that are there, and from now on for new ones. */
export const fundingReferences = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table funding_references (reference text primary key, account_id text not null)`.execute(
      db,
    );
    let after = '';
    for (;;) {
      const { rows } = await sql<{ id: string }>`
        select id from internal_accounts where id > ${after} order by id limit ${pageMax}`.execute(db);
      if (rows.length === 0) return;
      const known = JSON.stringify(rows.map(({ id }) => ({ reference: referenceFor(id), account_id: id })));
      await sql`
        insert into funding_references
        select * from json_populate_recordset(null::funding_references, ${known}::json)
        on conflict do nothing`.execute(db);
      after = rows.at(-1)?.id ?? after;
    }
  },
};
