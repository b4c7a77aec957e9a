/** The books of a running process, read in the Postgres of its data directory. */
import { join } from 'node:path';
import { runningPostgres } from '../../../src/infrastructure/postgres/running.ts';
import { query } from './database.ts';

/** The URL of the database that a process keeps in its data directory, as the process itself has it. */
export async function embeddedUrl(dataDirectory: string): Promise<string> {
  const running = await runningPostgres(join(dataDirectory, 'postgres'));
  if (!running) throw new Error(`no server runs on ${dataDirectory}`);
  return running.url;
}

const counts = {
  openPayments: `select count(*)::int as n from daybook.transactions
     where status in ('CREATED', 'PENDING', 'PROCESSING') or refund ->> 'status' = 'PENDING'`,
  timers: 'select count(*)::int as n from daybook.timers',
  unprojected: `select ((select max(position) from daybook_log.events)
     - (select min(position) from daybook.checkpoints where name in ('projections', 'policies')))::int as n`,
};
export type Unfinished = Readonly<Record<keyof typeof counts, number>>;

/** What is still to be done; all zero once every payment has come to its end. */
export async function unfinished(url: string): Promise<Unfinished> {
  const found = Object.entries(counts).map(async ([name, text]) => {
    const [row] = await query<{ n: number }>(url, text);
    return [name, row?.n ?? -1] as const;
  });
  return Object.fromEntries(await Promise.all(found)) as Unfinished;
}

/** Each query finds what must not be there. */
export const wrongRows: Readonly<Record<string, string>> = {
  'currencies whose postings do not add up to zero': `select platform_id, currency, sum(minor)::text as held
     from daybook.postings group by 1, 2 having sum(minor) <> 0`,
  'events whose postings do not add up to zero': `select event_id, currency, sum(minor)::text as held
     from daybook.postings group by 1, 2 having sum(minor) <> 0`,
  'currencies with money in flight': `select platform_id, currency, sum(minor)::text as held
     from daybook.postings where account = 'in-flight' group by 1, 2 having sum(minor) <> 0`,
  'payments with money in flight': `select data ->> 'transactionId' as id, posting ->> 'currency' as currency,
       sum((posting ->> 'minor')::numeric)::text as held
     from daybook_log.events, jsonb_array_elements(data -> 'postings') as posting
     where posting ->> 'account' = 'in-flight'
     group by 1, 2 having sum((posting ->> 'minor')::numeric) <> 0`,
  'accounts that do not hold the sum of their postings': `select a.id, a.balance::text, sum(p.minor)::text as held
     from daybook.internal_accounts a left join daybook.postings p on p.account = a.id
     group by a.id, a.balance having a.balance <> coalesce(sum(p.minor), 0)`,
  'ledger balances that are not the sum of their postings': `select b.platform_id, b.account, b.currency, b.minor::text
     from daybook.ledger_balances b left join (
       select platform_id, currency, minor,
         case when account like 'InternalAccount:%' then 'internal' else account end as account
       from daybook.postings) p using (platform_id, account, currency)
     group by 1, 2, 3, b.minor having b.minor <> coalesce(sum(p.minor), 0)`,
  'payments that were credited or debited twice': `select data ->> 'entryId' as entry, count(*)::int as n
     from daybook_log.events where type in ('AccountDebited', 'AccountCredited')
     group by 1 having count(*) > 1`,
  'payments that ended twice': `select stream, count(*)::int as n from daybook_log.events
     where type in ('TransactionCompleted', 'TransactionRejected', 'TransactionCancelled', 'TransactionExpired')
     group by 1 having count(*) > 1`,
};

export const rowsOfQuery = (url: string, text: string) => query(url, text);
