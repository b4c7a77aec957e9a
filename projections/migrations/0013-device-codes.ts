import { type Kysely, sql } from 'kysely';

/**
 * Device codes are kept as keyed hashes. Those that were kept as plain ones are forgotten: whoever has a copy of the
 * database finds such a code in seconds. What a redemption has answered is kept, sealed, for as long as it may be asked
 * for again.
 */
export const deviceCodes = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`delete from agent_device_codes`.execute(db);
    await sql`alter table agent_device_codes rename column code_hash to code_mac`.execute(db);
    await sql`alter table agent_device_codes add column master_key_id text not null`.execute(db);
    await sql`
      create table agent_redemptions (
        id text primary key, proof bytea not null, sealed bytea not null, master_key_id text not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index on agent_redemptions (expires_at)`.execute(db);
  },
};
