/** What the tables have at the end of a life. */
import { everyRow } from '../../../support/postgres/every-row.ts';
import type { Control } from '../ports/database/postgres.ts';

export type WebhookRow = {
  readonly id: string;
  readonly platform_id: string;
  readonly type: string;
  readonly object_id: string;
  readonly position: string;
  readonly n: number;
  readonly state: string;
  readonly body: string;
};

export type Rows = Awaited<ReturnType<typeof readRows>>;

type Words = { readonly erased: readonly string[]; readonly codes: readonly string[] };

/** All of these are words that are nowhere. */
export async function readRows(control: Control, { erased, codes }: Words) {
  const { rows } = control;
  const rowsWith = await searched(control, [...erased, ...codes]);
  return {
    erased: rowsWith(erased),
    withCodes: rowsWith(codes),
    webhooks: await rows<WebhookRow>(`
      select id, platform_id, type, object_id, position, n, state, body from daybook.webhook_events
      order by position, n, id`),
    transactions: await rows<{ id: string; status: string; platform_id: string }>(
      'select id, status, platform_id from daybook.transactions order by id',
    ),
    balances: await rows<{ id: string; balance: string; currency: string }>(
      'select id, balance::text, currency from daybook.internal_accounts order by id',
    ),
    ledger: await rows<{ account: string; currency: string; minor: string }>(
      'select platform_id, account, currency, minor::text from daybook.ledger_balances where minor <> 0',
    ),
    timers: await rows<{ subject: string; kind: string }>('select subject, kind from daybook.timers'),
    parked: await rows<{ consumer: string; stream: string; error: string }>(
      'select consumer, stream, error from daybook.parked_work',
    ),
    checkpoints: await rows<{ name: string; position: string }>(
      'select name, position from daybook.checkpoints order by name',
    ),
    contents: await rows<{ id: string; document_id: string | null; is_kept: boolean; sha256: string }>(`
      select id, document_id, is_kept, encode(sha256(coalesce((
        select string_agg(bytes, ''::bytea order by n) from daybook.document_chunks where content_id = c.id
      ), ''::bytea)), 'hex') as sha256 from daybook.document_contents c order by id`),
    tree: await rows<{ size: string }>('select size::text from daybook.log_checkpoints order by size'),
  };
}

/** Rows of whichever table in which one of some words stands. */
async function searched({ rows }: Control, words: readonly string[]) {
  const all = words.length === 0 ? [] : await everyRow((text) => rows(text));
  return (some: readonly string[]) =>
    all.flatMap(({ table, row }) => (some.some((word) => row.includes(word)) ? `${table}: ${row}` : []));
}
