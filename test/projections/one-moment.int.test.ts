/** What several statements read is of one moment, whatever is written, or put in place of what was there, between them. */
import { expect, it } from 'vitest';
import { copiedBooks } from '../../projections/auditor/copied-books.ts';
import { projectionsCheckpoint } from '../../projections/kept/checkpoints.ts';
import {
  findAttemptedEvent,
  listToldAfter,
  listWebhookEvents,
} from '../../projections/kept/webhook-events.ts';
import { findAgentAction, listActionsWithPayments } from '../../projections/models/agent-actions.ts';
import { ledgerBalances } from '../../projections/models/ledger.ts';
import { atOneMoment } from '../../projections/one-moment.ts';
import { idOf, type WebhookId } from '../../src/kernel/ids.ts';
import { backends, connect, untilSome } from '../support/log/raw-log.ts';
import { query } from '../support/postgres/database.ts';
import { afterFirstStatement, emptyBooks } from '../support/postgres/read-models.ts';
import { uuidNumber } from '../support/values/ids.ts';

const platform = idOf('Platform', uuidNumber(1));
const sum = `values ('${platform}', 'rail', 'USD', 5)`;

it('nothing is seen that came after the first statement', async () => {
  const { url, db } = await emptyBooks();
  const sums = await atOneMoment(db, ['ledger_balances'], async (one) => {
    const read = () => one.selectFrom('ledger_balances').selectAll().execute();
    const first = await read();
    await query(url, `insert into daybook.ledger_balances ${sum}`);
    return [...first, ...(await read())];
  });
  expect(sums).toEqual([]);
});

it('tables that are put in the place of others are read with all that is in them', async () => {
  const { url, db } = await emptyBooks();
  const rebuilding = await connect(url);
  await rebuilding.query(`
    begin;
    create schema built;
    create table built.ledger_balances (like daybook.ledger_balances including all);
    insert into built.ledger_balances ${sum};
    drop table daybook.ledger_balances;
    alter table built.ledger_balances set schema daybook`);
  const reading = copiedBooks(db);
  await untilSome(() => backends(url, 'daybook-test-books', true));
  await rebuilding.query('commit');
  expect((await reading).sums).toMatchObject([{ account: 'rail', minor: 5n }]);
});

it('where there was nothing, the position is not that of what has come since', async () => {
  const { url, db } = await emptyBooks();
  const project = async (position: number) => {
    await query(url, `insert into daybook.ledger_balances ${sum}`);
    await query(url, `insert into daybook.checkpoints (name, position) values ($1, $2)`, [
      projectionsCheckpoint,
      position,
    ]);
  };
  afterFirstStatement(db, () => project(7));
  expect(await ledgerBalances(db, platform)).toMatchObject({ rows: [{ minor: 5n }], asOf: 7n });
  const other = idOf('Platform', uuidNumber(2));
  expect(await ledgerBalances(db, other)).toEqual({ rows: [], asOf: 7n });
});

it('a webhook event has as many attempts as it says, while they are made', async () => {
  const { url, db } = await emptyBooks();
  const [id] = await addWebhookEvents(url, 1);
  const attempt = `
    with e as (update daybook.webhook_events set attempts = attempts + 1 returning id, attempts)
    insert into daybook.webhook_attempts (event_id, n, at, url, latency_ms) select id, attempts, now(), '', 1 from e`;
  await whileWriting(url, [attempt], async () => {
    const { event, attempts } = (await findAttemptedEvent(db, platform, id as WebhookId)) ?? {};
    expect(attempts).toHaveLength(event?.attempts ?? -1);
  });
});

it('webhook events are cancelled all at once, as far as a list shows', async () => {
  const { url, db } = await emptyBooks();
  await addWebhookEvents(url, 10);
  const steps = [
    `insert into daybook.webhook_cutoffs values ('${platform}', 100, now())`,
    `update daybook.webhook_events set state = 'CANCELLED' where n < 5`,
    `update daybook.webhook_events set state = 'CANCELLED'`,
    `begin; delete from daybook.webhook_cutoffs; update daybook.webhook_events set state = 'PENDING'; commit`,
  ];
  await whileWriting(url, steps, async () => {
    const { rows, totalCount } = await listWebhookEvents(db, platform, { state: 'PENDING' }, { limit: 20 });
    expect([0, 10]).toContain(totalCount);
    expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'PENDING'));
    const states = (await listToldAfter(db, platform, {}, 20)).map(({ state }) => state);
    expect(new Set(states).size).toBe(1);
  });
});

it('an action of an agent waits no more when its payment goes on, as far as is shown', async () => {
  const { url, db } = await emptyBooks();
  const agentId = idOf('Agent', uuidNumber(3));
  const id = idOf('AgentAction', uuidNumber(4));
  await query(
    url,
    `insert into daybook.transactions (id, platform_id, type, status, source, destination, receiver_account, sent_minor,
       sent_currency, received_minor, received_currency, fees, reference, created_at, updated_at)
     values ('Transaction:1', $1, 'OUTGOING', 'PENDING', '{}', '{}', 'x', 1, 'USD', 1, 'USD', 0, 'r', now(), now())`,
    [platform],
  );
  await query(
    url,
    `insert into daybook.agent_actions (id, platform_id, agent_id, customer_id, platform_customer_id, type, status,
       transaction_id, created_at, updated_at)
     values ($1, $2, $3, 'x', 'x', 'EXECUTE_QUOTE', 'PENDING_APPROVAL', 'Transaction:1', now(), now())`,
    [id, platform, agentId],
  );
  const both = (action: string, payment: string) => `
    with a as (update daybook.agent_actions set status = '${action}')
    update daybook.transactions set status = '${payment}'`;
  const steps = [both('APPROVED', 'PROCESSING'), both('PENDING_APPROVAL', 'PENDING')];
  await whileWriting(url, steps, async () => {
    const { rows } = await listActionsWithPayments(db, platform, { agentId }, { limit: 1 });
    for (const one of [...rows, await findAgentAction(db, agentId, id)])
      expect(one?.action.status === 'PENDING_APPROVAL').toBe(one?.payment?.status === 'PENDING');
  });
});

/** Adds pending events of webhooks, about one object. Returns their ids. */
async function addWebhookEvents(url: string, count: number): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(
    url,
    `insert into daybook.webhook_events (id, platform_id, type, object_id, position, n, body, state, attempts, retries,
       retrying_since, redelivery, created_at, updated_at)
     select 'Webhook:' || n, $1, 'TEST', 'x', 7, n, '{}', 'PENDING', 0, 0, now(), false, now(), now()
     from generate_series(0, $2::int - 1) n returning id`,
    [platform, count],
  );
  return rows.map(({ id }) => id);
}

/** Reads many times, while the statements are run one after the other, again and again. */
async function whileWriting(url: string, statements: readonly string[], read: () => Promise<void>) {
  const client = await connect(url);
  let isOver = false;
  const writing = (async () => {
    while (!isOver) for (const statement of statements) await client.query(statement);
  })();
  try {
    for (let n = 0; n < 300; n++) await read();
  } finally {
    isOver = true;
    await writing;
  }
}
