import { type Kysely, sql } from 'kysely';

export const books = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table customers (
        id text primary key, platform_id text not null, platform_customer_id text not null, customer_type text not null,
        uma_address text not null, region text not null, currencies text[] not null, kyc_status text not null,
        is_deleted boolean not null, details jsonb not null, created_at timestamptz not null,
        updated_at timestamptz not null
      )`.execute(db);
    await sql`create index on customers (platform_id, created_at, id)`.execute(db);
    await sql`create index on customers (platform_id, platform_customer_id)`.execute(db);
    await sql`
      create table internal_accounts (
        id text primary key, platform_id text not null, customer_id text, type text not null, currency text not null,
        status text not null, balance numeric not null check (balance >= 0), created_at timestamptz not null,
        updated_at timestamptz not null
      )`.execute(db);
    await sql`create index on internal_accounts (platform_id, created_at, id)`.execute(db);
    await sql`create index on internal_accounts (customer_id)`.execute(db);
    await sql`
      create table external_accounts (
        id text primary key, platform_id text not null, customer_id text, platform_account_id text,
        currency text not null, account_info jsonb not null, ownership_type text, verification_status text, verified_name text,
        default_uma_deposit_account boolean not null, status text not null, is_deleted boolean not null,
        created_at timestamptz not null, updated_at timestamptz not null
      )`.execute(db);
    await sql`create index on external_accounts (platform_id, created_at, id)`.execute(db);
    await sql`create index on external_accounts (customer_id)`.execute(db);
    await sql`
      create table transactions (
        id text primary key, quote_id text, platform_id text not null, type text not null, status text not null,
        customer_id text, platform_customer_id text, source jsonb not null, destination jsonb not null,
        sender_account text, receiver_account text not null, sent_minor bigint not null, sent_currency text not null,
        received_minor bigint not null, received_currency text not null, fees bigint not null, exchange_rate text,
        rate_details jsonb, reference text not null, description text, counterparty_information jsonb, failure_reason text, refund jsonb,
        expires_at timestamptz, settled_at timestamptz, created_at timestamptz not null, updated_at timestamptz not null
      )`.execute(db);
    await sql`create index on transactions (platform_id, created_at, id)`.execute(db);
    await sql`create index on transactions (customer_id, created_at, id)`.execute(db);
    await sql`create index on transactions (sender_account, created_at, id)`.execute(db);
    await sql`create index on transactions (receiver_account, created_at, id)`.execute(db);
    await sql`create index on transactions (platform_id, reference)`.execute(db);
    await sql`
      create table postings (
        position bigint not null, n int not null, event_id text not null, platform_id text not null,
        account text not null, currency text not null, minor bigint not null, at timestamptz not null,
        primary key (position, n)
      )`.execute(db);
    await sql`create index on postings (account, position)`.execute(db);
    await sql`
      create table ledger_balances (
        platform_id text not null, account text not null, currency text not null, minor numeric not null,
        primary key (platform_id, account, currency)
      )`.execute(db);
    await sql`
      create table timers (
        subject text primary key, platform_id text not null, kind text not null, due_at timestamptz not null
      )`.execute(db);
    await sql`create index on timers (due_at)`.execute(db);
  },
};
