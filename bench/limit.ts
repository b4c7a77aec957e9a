/**
 * What a transfer costs at least with Express, zod and pg: the five events of a payment, its read models and the key of
 * its request, everything in batches and each thing done once; the answer goes out when both are committed. It decides
 * nothing, checks no rule and serves no other operation. `DATABASE_URL=… PORT=… node bench/limit.ts`
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import express, { type Response } from 'express';
import pg from 'pg';
import { z } from 'zod';
import { inBatches } from '../src/infrastructure/scheduling/batches.ts';
import { authorization } from './town.ts';

const groupMax = 256;
const connectionString = process.env.DATABASE_URL;
const [log, models] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
const reader = new pg.Pool({ connectionString, max: 8 });
await Promise.all([log.connect(), models.connect()]);
await log.query(`
  create table events (position bigint primary key, stream text not null, revision bigint not null, id uuid not null,
    type text not null, data jsonb not null, metadata jsonb not null,
    recorded_at timestamptz not null default clock_timestamp(), unique (stream, revision));
  create table keys (scope text primary key, status int not null, body text not null);
  create table transactions (id text primary key, platform_id text, amount numeric, created_at timestamptz, doc text);
  create index on transactions (platform_id, created_at desc);
  create table postings (position bigint, n int, account text, minor numeric, primary key (position, n));
  create index on postings (account, position);
  create table balances (account text primary key, minor numeric);
  create table checkpoints (name text primary key, position bigint)`);
// Read models are copies of the log.
await models.query('set synchronous_commit = off');

const append = `
  with e as (insert into events (position, stream, revision, id, type, data, metadata)
    select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::jsonb[], $7::jsonb[]))
  insert into keys select * from unnest($8::text[], $9::int[], $10::text[])`;
const project = `
  with t as (insert into transactions
      select id, 'Platform:1', amount, at, doc
      from unnest($1::text[], $2::numeric[], $3::timestamptz[], $4::text[]) as x (id, amount, at, doc)),
    p as (insert into postings select * from unnest($5::bigint[], $6::int[], $7::text[], $8::numeric[])),
    b as (insert into balances select * from unnest($9::text[], $10::numeric[])
      on conflict (account) do update set minor = excluded.minor)
  insert into checkpoints values ('models', $11) on conflict (name) do update set position = excluded.position`;

const account = z.object({ accountId: z.string().max(80) });
const body = z.object({
  source: account,
  destination: account,
  amount: z.number().int().positive().max(9e15),
});

type Logged = {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
};
type Paid = {
  readonly key: string;
  readonly id: string;
  readonly at: string;
  readonly amount: number;
  readonly account: string;
  readonly balance: bigint;
  readonly events: readonly Logged[];
  readonly doc: string;
  readonly response: Response;
};

const books = new Map<string, { balance: bigint; revision: number }>();
let position = 0n;
let total = 0;

/** A payment's five events and the record that a list shows. */
function pay({ source, destination, amount }: z.output<typeof body>, key: string, response: Response): Paid {
  const [at, uuid] = [new Date().toISOString(), randomUUID()];
  const id = `Transaction:${uuid}`;
  const book = books.get(destination.accountId) ?? { balance: 0n, revision: -1 };
  books.set(destination.accountId, book);
  book.balance += BigInt(amount);
  book.revision += 1;
  const metadata = JSON.stringify({
    platformId: 'Platform:1',
    at,
    correlationId: uuid,
    causationId: uuid,
    actor: 'token',
  });
  const stream = `transaction-${uuid}`;
  const event = (type: string, revision: number, data: object, of = stream): Logged => {
    position += 1n;
    const text = JSON.stringify({ transactionId: id, ...data });
    return { position, stream: of, revision, id: randomUUID(), type, data: text, metadata };
  };
  const money = { minor: String(amount), currency: 'USD' };
  const credit = { accountId: destination.accountId, balance: String(book.balance), amount: money };
  const events = [
    event('TransferCreated', 0, { source, destination, amount: money, terms: 'x'.repeat(200) }),
    event('PaymentSubmitted', 1, { reference: uuid, underway: true, checkAt: at }),
    event('CreditDue', 2, { amount: money, accountId: destination.accountId, at }),
    event('AccountCredited', book.revision, credit, `account-${destination.accountId}`),
    event('TransactionCompleted', 3, { settledAt: at, amount: money }),
  ];
  const receivedAmount = { amount, currency: { code: 'USD', name: 'United States Dollar', decimals: 2 } };
  const shown = { id, status: 'COMPLETED', type: 'INCOMING', source, destination, receivedAmount };
  const doc = JSON.stringify({ ...shown, createdAt: at, updatedAt: at, settledAt: at });
  const { balance } = book;
  return { key, id, at, amount, account: destination.accountId, balance, events, doc, response };
}

const toProject = inBatches<Paid>(groupMax, async (group) => {
  const postings = group.flatMap(({ events, account, amount }) => [
    { position: events[3]?.position, n: 0, account, amount },
    { position: events[3]?.position, n: 1, account: 'rail', amount: -amount },
  ]);
  const latest = [...new Map(group.map((one) => [one.account, one])).values()];
  await models.query({
    name: 'project',
    text: project,
    values: [
      group.map(({ id }) => id),
      group.map(({ amount }) => amount),
      group.map(({ at }) => at),
      group.map(({ doc }) => doc),
      postings.map((one) => one.position),
      postings.map((one) => one.n),
      postings.map((one) => one.account),
      postings.map((one) => one.amount),
      latest.map((one) => one.account),
      latest.map((one) => one.balance),
      group.at(-1)?.events.at(-1)?.position,
    ],
  });
  total += group.length;
  for (const { response, doc } of group) response.status(201).type('json').send(doc);
});

const toAppend = inBatches<Paid>(groupMax, async (group) => {
  const events = group.flatMap((one) => one.events);
  await log.query({
    name: 'append',
    text: append,
    values: [
      events.map((one) => one.position),
      events.map((one) => one.stream),
      events.map((one) => one.revision),
      events.map((one) => one.id),
      events.map((one) => one.type),
      events.map((one) => one.data),
      events.map((one) => one.metadata),
      group.map(({ key }) => key),
      group.map(() => 201),
      group.map(({ doc }) => doc),
    ],
  });
  group.forEach(toProject);
});

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const known = hashOf(authorization);

const app = express().disable('x-powered-by').set('etag', false);
app.use(express.json({ limit: '1mb' }));
app.post('/transfer-in', (request, response) => {
  if (!timingSafeEqual(hashOf(request.get('authorization') ?? ''), known))
    return void response.status(401).end();
  toAppend(pay(body.parse(request.body), request.get('idempotency-key') ?? randomUUID(), response));
});
app.get('/transactions', async (request, response) => {
  const { rows } = await reader.query<{ doc: string }>({
    name: 'page',
    text: 'select doc from transactions where platform_id = $1 order by created_at desc limit $2',
    values: ['Platform:1', Number(request.query.limit)],
  });
  const data = rows.map(({ doc }) => doc).join();
  response.type('json').send(`{"data":[${data}],"hasMore":${total > rows.length},"totalCount":${total}}`);
});
const port = Number(process.env.PORT);
app.listen(port, '127.0.0.1', () => process.stdout.write(`ready at http://127.0.0.1:${port}\n`));
