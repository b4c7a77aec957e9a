import { type Kysely, sql } from 'kysely';

/** Who owns a business, and how far the verification of a customer has come. */
export const verification = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table beneficial_owners (
        id text primary key, platform_id text not null, customer_id text not null, roles text[] not null,
        ownership_percentage double precision not null, personal_info jsonb not null, kyc_status text not null,
        created_at timestamptz not null, updated_at timestamptz not null
      )`.execute(db);
    await sql`create index on beneficial_owners (customer_id, created_at, id)`.execute(db);
    await sql`
      create table verifications (
        id text primary key, platform_id text not null, customer_id text not null, status text not null,
        errors jsonb not null, created_at timestamptz not null, updated_at timestamptz not null
      )`.execute(db);
    await sql`create index on verifications (platform_id, created_at, id)`.execute(db);
    await sql`create index on verifications (customer_id)`.execute(db);
  },
};
