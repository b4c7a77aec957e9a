import { type Kysely, sql } from 'kysely';

/** Who owns a business, how far the verification of a customer has come, and documents with what they contain. */
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
    await sql`
      create table documents (
        id text primary key, platform_id text not null, document_holder text not null, document_type text not null,
        country text not null, file_name text not null, side text, document_number text, issuing_authority text,
        created_at timestamptz not null, updated_at timestamptz not null
      )`.execute(db);
    await sql`create index on documents (platform_id, created_at, id)`.execute(db);
    await sql`create index on documents (document_holder)`.execute(db);
    // Not copied from the log: a rebuild leaves these two alone.
    await sql`
      create table document_contents (
        id text primary key, document_id text, is_kept boolean not null, created_at timestamptz not null
      )`.execute(db);
    await sql`create index on document_contents (created_at) where not is_kept`.execute(db);
    await sql`
      create table document_chunks (
        content_id text not null references document_contents on delete cascade, n int not null, bytes bytea not null,
        primary key (content_id, n)
      )`.execute(db);
  },
};
