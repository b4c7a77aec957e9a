/** What was made of personal texts beside the log and the read models: bodies of webhooks, kept answers, mails, files. */
import type { EmailRow } from '../../../projections/tables/wallets.ts';
import { isStreamOf, objectsOf } from '../../domain/streams.ts';
import { forgetClosingsOfEach } from '../../infrastructure/closings/forget.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../infrastructure/postgres/transaction.ts';
import { inParts } from '../../kernel/parts.ts';
import { dropSnapshot } from '../platform-snapshots/kept-rows.ts';
import { withoutTexts } from './without-texts.ts';

export type Clearing = {
  readonly streams: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  /** Of the events. */
  readonly platforms: ReadonlySet<string>;
  readonly plainEvents: number;
};

export type OpenMail = (row: EmailRow) => { readonly to: string };

type Deps = { readonly pool: Pool; readonly openMail: OpenMail };
type Asked = {
  readonly persons: ReadonlySet<string>;
  readonly found: Clearing;
};

const atOnceMax = 500;
/** Each has up to 10 MiB in pieces, which go with it: a statement that takes longer than others may is ended. */
const contentsAtOnceMax = 10;

const anyId = /[A-Za-z]+:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Compared here: for as many ids as a customer has payments, Postgres would look through each body as many times. */
const names = (body: string, ids: ReadonlySet<string>): boolean =>
  body.match(anyId)?.some((id) => ids.has(id)) ?? false;

type Kept = { readonly key: string; readonly body: string | null; readonly about: string | null };

type Bodies = {
  readonly table: string;
  readonly key: string;
  /** `$1` are the platforms, `$2` is the key before the first one, `$3` how many there are at most. */
  readonly page: string;
  readonly pageMax: number;
};

/** Of an invitation the body does not name its id. */
const webhooks: Bodies = {
  table: 'webhook_events',
  key: 'id',
  page: `select id as key, body, object_id as about from webhook_events
    where platform_id = any($1) and body is not null and id > $2 order by id limit $3`,
  pageMax: atOnceMax,
};
/**
 * In no order of the platforms: those of others are passed over. An index would cost each request that has a key, and a
 * statement that looks for the next ones of a platform may go through all that there are.
 */
const answers: Bodies = {
  table: 'idempotency_keys',
  key: 'scope',
  page: `select scope as key, case when tenant = any($1) then body end as body, null as about from idempotency_keys
    where scope > $2 order by scope limit $3`,
  pageMax: 2_000,
};

/**
 * Bodies that name a person, or what is about one. Other bodies may say the same of somebody else. Returns the keys of
 * all of them, those that are rewritten already among them.
 */
async function rewrite(
  pool: Pool,
  { table, key, page, pageMax }: Bodies,
  {
    platforms,
    ids,
    texts,
  }: { platforms: readonly string[]; ids: ReadonlySet<string>; texts: ReadonlySet<string> },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { rows } = await pool.query<Kept>(page, [platforms, after, pageMax]);
    const theirs = rows.flatMap(({ key: one, body, about }) =>
      body !== null && (ids.has(about ?? '') || names(body, ids)) ? [{ key: one, body }] : [],
    );
    for (const one of theirs) found.push(one.key);
    const changed = theirs
      .map(({ key: one, body }) => ({ key: one, body, without: withoutTexts(body, texts) }))
      .filter(({ body, without }) => body !== without);
    if (changed.length > 0)
      await pool.query(
        `update ${table} t set body = c.body from unnest($1::text[], $2::text[]) as c (key, body) where t.${key} = c.key`,
        [changed.map((one) => one.key), changed.map(({ without }) => without)],
      );
    const last = rows.at(-1);
    if (!last || rows.length < pageMax) return found;
    after = last.key;
  }
}

type Told = {
  readonly platforms: readonly string[];
  readonly ids: readonly string[];
  /** Webhooks whose bodies are rewritten: what is answered to them from now on is not kept. */
  readonly told: readonly string[];
};

/** What receivers have answered to webhooks that say something of a person, or are about one: they may have repeated it. */
async function clearExcerpts(pool: Pool, { platforms, ids, told }: Told): Promise<void> {
  for (const some of inParts(ids, atOnceMax))
    await pool.query(
      `update webhook_attempts set excerpt = null where excerpt is not null and event_id in (
         select id from webhook_events where platform_id = any($1) and object_id = any($2))`,
      [platforms, some],
    );
  for (const some of inParts(told, atOnceMax))
    await pool.query(
      'update webhook_attempts set excerpt = null where excerpt is not null and event_id = any($1)',
      [some],
    );
}

async function dropContents(pool: Pool, ids: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from document_contents where document_id = any($1)',
    [ids],
  );
  for (const some of inParts(rows, contentsAtOnceMax))
    await pool.query('delete from document_contents where id = any($1)', [some.map(({ id }) => id)]);
}

async function dropSnapshots(pool: Pool, platforms: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ readonly id: string; readonly platformId: string }>(
    `select id, platform_id as "platformId" from sandbox_snapshots
     where platform_id = any($1) and restoring is null`,
    [platforms],
  );
  for (const one of rows) await inTransaction(pool, (client) => dropSnapshot(client, one));
}

/** Who pays the person has an account, or an agent, that pays others as well: what is said of those stays. */
const about = (streams: ReadonlySet<string>): readonly string[] =>
  saying(streams).filter((stream) => !isStreamOf('agent', stream));

/** What is kept of an account has no texts of its payments. */
const saying = (streams: ReadonlySet<string>): readonly string[] =>
  [...streams].filter((stream) => !isStreamOf('account', stream));

/** `false` where a platform is on its way back to a snapshot, which is needed until then: it has to be done once more. */
export async function clearOutside({ pool, openMail }: Deps, { persons, found }: Asked): Promise<boolean> {
  const platforms = [...found.platforms];
  const known = new Set([...objectsOf(about(found.streams)), ...persons]);
  const ids = [...known];
  const own = { platforms, ids: known, texts: found.texts };
  const told = await rewrite(pool, webhooks, own);
  // The answers stay, as do their keys: nobody pays twice for it.
  await rewrite(pool, answers, own);
  await clearExcerpts(pool, { platforms, ids, told });
  // One that was added while the customer was deleted has its address.
  await pool.query(
    'update wallet_credentials set email = null where account_id = any($1) and email is not null',
    [ids],
  );
  await dropContents(pool, ids);
  await dropSnapshots(pool, platforms);
  await forgetClosingsOfEach(pool, saying(found.streams));
  const { rows } = await pool.query<EmailRow>(
    'select * from emails where platform_id = any($1) and sealed is not null',
    [platforms],
  );
  const mails = rows.filter((row) => found.texts.has(openMail(row).to));
  await pool.query('delete from emails where id = any($1)', [mails.map(({ id }) => id)]);
  const { rowCount } = await pool.query('select from sandbox_snapshots where platform_id = any($1)', [
    platforms,
  ]);
  return rowCount === 0;
}
