import { type Kysely, sql } from 'kysely';

/** Where credentials and sessions are found, and what wallets keep outside the log: codes, mails, sealed secrets. */
export const wallets = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table internal_accounts add column private_enabled boolean not null default false`.execute(db);
    await sql`
      create table wallet_credentials (
        id text primary key, platform_id text not null, account_id text not null, type text not null, email text
      )`.execute(db);
    await sql`create index on wallet_credentials (platform_id, lower(email)) where email is not null`.execute(
      db,
    );
    await sql`
      create table wallet_sessions (
        id text primary key, platform_id text not null, account_id text not null, credential_id text not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index on wallet_sessions (account_id, expires_at)`.execute(db);
    await sql`
      create table one_time_codes (
        id text primary key, mac bytea not null, master_key_id text not null, expires_at timestamptz not null
      )`.execute(db);
    await sql`
      create table emails (
        id text primary key, platform_id text not null, environment text not null, sealed bytea,
        master_key_id text not null, attempts int not null, created_at timestamptz not null,
        expires_at timestamptz not null, released_at timestamptz, sent_at timestamptz
      )`.execute(db);
    await sql`create index on emails (platform_id, created_at, id)`.execute(db);
    await sql`create index on emails (expires_at) where released_at is not null and sent_at is null`.execute(
      db,
    );
    await sql`
      create table wallet_phrases (
        id text primary key, sealed bytea not null, master_key_id text not null, created_at timestamptz not null
      )`.execute(db);
    await sql`
      create table oidc_keys (
        id text primary key, public_jwk jsonb not null, sealed bytea not null, master_key_id text not null,
        created_at timestamptz not null
      )`.execute(db);
    // As the rate limiter makes it, but with a type that arrives as a number.
    await sql`
      create table rate_limits (
        key varchar(255) primary key, points int not null default 0, expire double precision
      )`.execute(db);
  },
};
