import type { PoolClient } from 'pg';
import { createPool } from '../../postgres/pool.ts';
import { NotWhole } from '../../postgres/whole.ts';

export const logSchema = 'daybook_log';
/** Of the error for what comes to the log after its last moment. */
export const lateCode = 'DB001';
export const logChannel = 'daybook_log';

/**
 * The log as one append-only table. `append_events` takes a batch of appends, each with the revision that its stream
 * has to be at. Where all are, which is nearly always, one statement appends all and the one row of the answer has the
 * position before the first; else there is a row for each append. Each event belongs to the `ns`th append. It holds one lock until its transaction ends, so
 * positions become visible in the order in which they are given out and without gaps: a subscriber that has seen
 * position n will never see a smaller one appear, and an auditor can tell that nothing was taken out. After the last moment
 * of a batch nothing of it is appended: looked at once it is alone. Without a last moment it is for processes of a former
 * version beside those of this one. The function that a version before has made had names for its parameters, which
 * Postgres does not let anybody take away from it.
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

-- Only where one is missing: to replace one waits for a vacuum of the table, and all appends wait behind that.
do $$ begin
  if (
    select count(*) from pg_trigger where tgrelid = '${logSchema}.events'::regclass and tgenabled = 'O'
      and tgname in ('events_are_immutable', 'events_are_kept')
  ) < 2 then
    create or replace trigger events_are_immutable before update or delete on ${logSchema}.events
      for each row execute function ${logSchema}.refuse_change();
    create or replace trigger events_are_kept before truncate on ${logSchema}.events
      for each statement execute function ${logSchema}.refuse_change();
  end if;
end $$;

create or replace function ${logSchema}.append_events(
  streams text[], heads bigint[], one_by_one boolean,
  ns int[], revisions bigint[], ids uuid[], types text[], data jsonb, metadata jsonb,
  latest timestamptz
)
  returns table (n int, outcome text, revision bigint, "position" bigint) language plpgsql as $$
#variable_conflict use_column
declare
  head bigint;
begin
  perform pg_advisory_xact_lock(hashtext('${logSchema}'));
  if latest < clock_timestamp() then
    raise exception 'too late: not after %', latest using errcode = '${lateCode}';
  end if;
  select coalesce(max(e.position), 0) into head from ${logSchema}.events e;
  if one_by_one or exists (
    select from unnest(streams, heads) as w (stream, head)
    left join lateral (
      select e.revision from ${logSchema}.events e where e.stream = w.stream order by e.revision desc limit 1
    ) as h on true
    where coalesce(h.revision, -1) <> w.head
  ) then
    return query select * from ${logSchema}.append_one_by_one(
      streams, heads, head, ns, revisions, ids, types, data, metadata
    );
    return;
  end if;
  insert into ${logSchema}.events (position, stream, revision, id, type, data, metadata)
    select head + e.i, streams[e.n + 1], e.revision, e.id, e.type, e.data, e.metadata
    from rows from (unnest(ns, revisions, ids, types), jsonb_array_elements(data), jsonb_array_elements(metadata))
      with ordinality as e (n, revision, id, type, data, metadata, i);
  return query select -1, 'appended', 0::bigint, head;
end $$;

do $$ begin
  if exists (
    select from pg_proc where proargnames[1] = 'streams' and oid = to_regprocedure(
      '${logSchema}.append_events(text[], bigint[], boolean, int[], bigint[], uuid[], text[], jsonb, jsonb)'
    )
  ) then
    drop function ${logSchema}.append_events(
      text[], bigint[], boolean, int[], bigint[], uuid[], text[], jsonb, jsonb
    );
  end if;
end $$;

create or replace function ${logSchema}.append_events(
  text[], bigint[], boolean, int[], bigint[], uuid[], text[], jsonb, jsonb
)
  returns table (n int, outcome text, revision bigint, "position" bigint) language sql as $$
    select * from ${logSchema}.append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, null)
  $$;

create or replace function ${logSchema}.append_one_by_one(
  streams text[], heads bigint[], head bigint,
  ns int[], revisions bigint[], ids uuid[], types text[], data jsonb, metadata jsonb
)
  returns table (n int, outcome text, revision bigint, "position" bigint) language plpgsql as $$
#variable_conflict use_column
declare
  expected bigint;
  actual bigint;
  after int := 0;
  size int;
  same int;
  last bigint;
begin
  for at in 1 .. cardinality(streams) loop
    n := at - 1;
    expected := heads[at];
    size := 0;
    while ns[after + size + 1] = n loop size := size + 1; end loop;
    select e.revision into actual from ${logSchema}.events e
      where e.stream = streams[at] order by e.revision desc limit 1;
    actual := coalesce(actual, -1);
    if actual = expected then
      insert into ${logSchema}.events (position, stream, revision, id, type, data, metadata)
        select head + i, streams[at], revisions[after + i], ids[after + i], types[after + i],
          data -> after + i - 1, metadata -> after + i - 1
        from generate_series(1, size) as i;
      head := head + size;
      outcome := 'appended'; revision := expected + size; "position" := head;
    else
      select count(*), max(e.position) into same, last
        from generate_series(after + 1, after + size) as i
        join ${logSchema}.events e on e.stream = streams[at] and e.revision = revisions[i] and e.id = ids[i]
          and e.metadata ->> 'hash' is not distinct from append_one_by_one.metadata -> i - 1 ->> 'hash';
      if same = size then
        outcome := 'repeated'; revision := expected + size; "position" := last;
      else
        outcome := 'conflict'; revision := actual; "position" := null;
      end if;
    end if;
    after := after + size;
    return next;
  end loop;
end $$;
`;

/** Without them an event may be there twice, and is looked for in all of the table. */
async function requireKeys(client: Pick<PoolClient, 'query'>): Promise<void> {
  const { rows } = await client.query<{ keys: number }>(
    `select count(*)::int as keys from pg_constraint
      where conrelid = '${logSchema}.events'::regclass and contype in ('p', 'u') and convalidated`,
  );
  if ((rows[0]?.keys ?? 0) < 2) throw new NotWhole(`the table ${logSchema}.events lacks its keys`);
}

/**
 * Creates what is missing. Safe to run at every start and from many processes at once. Throws `NotWhole` where the table
 * is there without its keys.
 */
export async function migrateLog(url: string): Promise<void> {
  const pool = createPool({ url, max: 1, name: 'migrations', schema: logSchema, statementMaxMs: 0 });
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('${logSchema}-schema'))`);
    await client.query(ddl);
    await requireKeys(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
    await pool.end();
  }
}
