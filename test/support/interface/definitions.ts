import { query } from '../postgres/database.ts';
import { modelTables } from '../postgres/read-models.ts';

/** How the tables of the read models are defined, as Postgres tells it. */
export const definitionsOf = async (url: string): Promise<readonly string[]> => {
  const rows = await query<{ definition: string }>(
    url,
    `select definition from (
       select c.relname || ' column ' || a.attnum || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
         || case when a.attnotnull then ' not null' else '' end || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '')
         || ' ' || a.attstorage::text || ' ' || c.relpersistence::text as definition, c.relname
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where c.relnamespace = 'daybook'::regnamespace and c.relkind = 'r'
       union all
       select c.relname || ' with ' || option, c.relname
       from pg_class c left join pg_class t on t.oid = c.reltoastrelid
       cross join lateral (
         select unnest(c.reloptions) union all select 'toast.' || unnest(t.reloptions)
       ) as options (option)
       where c.relnamespace = 'daybook'::regnamespace and c.relkind = 'r'
       union all
       select relname || ' ' || conname || ' ' || pg_get_constraintdef(k.oid), relname
       from pg_constraint k join pg_class c on c.oid = k.conrelid where c.relnamespace = 'daybook'::regnamespace
       union all
       select relname || ' ' || pg_get_indexdef(indexrelid), relname
       from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'daybook'::regnamespace
       union all
       select relname || ' ' || pg_get_triggerdef(t.oid), relname
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'daybook'::regnamespace and not tgisinternal
     ) as all_of_them where relname = any($1) order by definition`,
    [modelTables],
  );
  return rows.map(({ definition }) => definition);
};
