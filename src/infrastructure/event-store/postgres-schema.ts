import type { Pool } from '../postgres/pool.ts';

export const logSchema = 'daybook_log';
export const logChannel = 'daybook_log';

/**
 * The log as one append-only table. `append` takes a batch of appends and answers one row for each. It holds one
 * lock until its transaction ends, so positions become visible in the order in which they are given out and without
 * gaps: a subscriber that has seen position n will never see a smaller one appear, and an auditor can tell that
 * nothing was taken out.
 */
const ddl = `
create schema if not exists ${logSchema};

create table if not exists ${logSchema}.events (
  position bigint primary key,
  stream text not null,
  revision bigint not null,
  id uuid not null,
  type text not null,
  data jsonb not null,
  metadata jsonb not null,
  recorded_at timestamptz not null default clock_timestamp(),
  unique (stream, revision)
);

create or replace function ${logSchema}.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the log is append-only: % refused', tg_op using errcode = 'restrict_violation';
end $$;

create or replace trigger events_are_immutable before update or delete on ${logSchema}.events
  for each row execute function ${logSchema}.refuse_change();
create or replace trigger events_are_kept before truncate on ${logSchema}.events
  for each statement execute function ${logSchema}.refuse_change();

create or replace function ${logSchema}.append(batch jsonb)
  returns table (n int, outcome text, revision bigint, "position" bigint) language plpgsql as $$
#variable_conflict use_column
declare
  item jsonb;
  first_head bigint;
  head bigint;
  expected bigint;
  actual bigint;
  size int;
  same int;
begin
  perform pg_advisory_xact_lock(hashtext('${logSchema}'));
  select coalesce(max(e.position), 0) into head from ${logSchema}.events e;
  first_head := head;
  for i in 0 .. jsonb_array_length(batch) - 1 loop
    n := i;
    item := batch -> i;
    expected := (item ->> 'expected')::bigint;
    size := jsonb_array_length(item -> 'events');
    select e.revision into actual from ${logSchema}.events e
      where e.stream = item ->> 'stream' order by e.revision desc limit 1;
    actual := coalesce(actual, -1);
    if actual = expected then
      insert into ${logSchema}.events (position, stream, revision, id, type, data, metadata)
        select head + o, item ->> 'stream', expected + o, (v ->> 'id')::uuid, v ->> 'type', v -> 'data', v -> 'metadata'
        from jsonb_array_elements(item -> 'events') with ordinality as t (v, o);
      head := head + size;
      outcome := 'appended'; revision := expected + size; "position" := head;
    else
      select count(*), max(e.position) into same, "position"
        from jsonb_array_elements(item -> 'events') with ordinality as t (v, o)
        join ${logSchema}.events e
          on e.stream = item ->> 'stream' and e.revision = expected + o and e.id = (v ->> 'id')::uuid;
      if same = size then
        outcome := 'repeated'; revision := expected + size;
      else
        outcome := 'conflict'; revision := actual;
      end if;
    end if;
    return next;
  end loop;
  if head > first_head then perform pg_notify('${logChannel}', head::text); end if;
end $$;
`;

/** Creates what is missing. Safe to run at every start and from many processes at once. */
export async function migrateLog(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('${logSchema}-schema'))`);
    await client.query(ddl);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
