/** What was made of personal texts beside the log and the read models: bodies of webhooks, kept answers, mails, files. */
import type { EmailRow } from '../../../projections/tables/wallets.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { type IdType, idOf, type PlatformId } from '../../kernel/ids.ts';

export type Clearing = {
  readonly streams: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  /** Of the events. */
  readonly platforms: ReadonlySet<string>;
  readonly plainEvents: number;
};

export type OpenMail = (row: EmailRow) => object;

type Deps = { readonly pool: Pool; readonly openMail: OpenMail };
type Asked = {
  readonly platformId: PlatformId;
  readonly persons: ReadonlySet<string>;
  readonly found: Clearing;
};

/** Shorter ones are in everything. */
const tellingMin = 4;
/** What a body says that was erased. */
const erasedBody = '{"erased":true}';

const types: Readonly<Record<string, IdType>> = {
  customer: 'Customer',
  transaction: 'Transaction',
  account: 'InternalAccount',
  wallet: 'InternalAccount',
  externalaccount: 'ExternalAccount',
  beneficialowner: 'BeneficialOwner',
  document: 'Document',
  verification: 'Verification',
  invitation: 'Invitation',
  agent: 'Agent',
};

/** The objects that events are about. */
const objectsOf = (streams: ReadonlySet<string>): readonly string[] =>
  [...streams].flatMap((stream) => {
    const end = stream.indexOf('-');
    const type = types[stream.slice(0, end)];
    return type ? [idOf(type, stream.slice(end + 1))] : [];
  });

/** As a pattern of SQL, and as it stands in JSON. */
const patternOf = (text: string): string =>
  `%${JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

export async function clearOutside({ pool, openMail }: Deps, { persons, found }: Asked): Promise<void> {
  const platforms = [...found.platforms];
  const objects = [...new Set([...objectsOf(found.streams), ...persons])];
  const telling = [...found.texts].filter(({ length }) => length >= tellingMin);
  const patterns = [...persons, ...telling].map(patternOf);
  await pool.query(
    `with cleared as (
       update webhook_events set body = $4,
         state = case when state = 'PENDING' then 'CANCELLED' else state end,
         next_attempt_at = case when state = 'PENDING' then null else next_attempt_at end
       where platform_id = any($1) and (object_id = any($2) or body like any($3)) returning id)
     update webhook_attempts set excerpt = null where event_id in (select id from cleared)`,
    [platforms, objects, patterns, erasedBody],
  );
  // A customer who is deleted pays nothing: the key cannot be used for a second payment.
  await pool.query(`delete from idempotency_keys where tenant = any($1) and body like any($2)`, [
    platforms,
    patterns,
  ]);
  await pool.query('delete from document_contents where document_id = any($1)', [objects]);
  await pool.query('delete from sandbox_snapshots where platform_id = any($1)', [platforms]);
  for (const table of ['closed_values', 'closing_filters', 'closings'])
    await pool.query(`delete from ${table} where stream = any($1)`, [[...found.streams]]);
  const { rows } = await pool.query<EmailRow>(
    'select * from emails where platform_id = any($1) and sealed is not null',
    [platforms],
  );
  const told = rows.filter((row) => {
    const mail = JSON.stringify(openMail(row));
    return telling.some((text) => mail.includes(JSON.stringify(text).slice(1, -1)));
  });
  await pool.query('delete from emails where id = any($1)', [told.map(({ id }) => id)]);
}
