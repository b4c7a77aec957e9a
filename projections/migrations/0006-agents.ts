import { type Kysely, sql } from 'kysely';

/** Agents and their actions, copied from the log; and what is not: device codes and access tokens, as hashes. */
export const agents = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table agents (
        id text primary key, platform_id text not null, customer_id text not null, name text not null,
        is_paused boolean not null, is_connected boolean not null, policy jsonb not null, usage jsonb not null,
        created_at timestamptz not null, updated_at timestamptz not null
      )`.execute(db);
    await sql`create index on agents (platform_id, created_at, id)`.execute(db);
    await sql`create index on agents (customer_id)`.execute(db);
    await sql`
      create table agent_actions (
        id text primary key, platform_id text not null, agent_id text not null, customer_id text not null,
        platform_customer_id text not null, type text not null, status text not null, transaction_id text not null,
        transfer jsonb, rejection_reason text, created_at timestamptz not null, updated_at timestamptz not null
      )`.execute(db);
    await sql`create index on agent_actions (agent_id, created_at, id)`.execute(db);
    await sql`
      create index on agent_actions (platform_id, created_at, id) where status = 'PENDING_APPROVAL'`.execute(
      db,
    );
    await sql`alter table transactions add column agent_id text`.execute(db);
    await sql`
      create table agent_device_codes (
        id text primary key, code_hash bytea not null unique, agent_id text not null, platform_id text not null
      )`.execute(db);
    await sql`create index on agent_device_codes (agent_id)`.execute(db);
    await sql`
      create table agent_tokens (
        id text primary key, token_hash bytea not null unique, agent_id text not null, created_at timestamptz not null
      )`.execute(db);
    await sql`create index on agent_tokens (agent_id)`.execute(db);
  },
};
