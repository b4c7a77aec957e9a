/** What was changed in the read models behind the back of the service differs from the log, and the place is named. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountColumns } from '../../src/app/cli/commands/audit/account-rows.ts';
import { type Compared, postingColumns } from '../../src/app/cli/commands/audit/comparison.ts';
import { paymentColumns } from '../../src/app/cli/commands/audit/payment-columns.ts';
import { ReadModelFault } from '../../src/app/cli/commands/audit/read-model-fault.ts';
import { comparing } from '../../src/app/cli/commands/audit/read-models.ts';
import { type SeenLog, verifiedLog } from '../../src/app/cli/commands/audit/verify.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { type LogReader, postgresLogReader } from '../../src/infrastructure/event-store/postgres/reader.ts';
import type { Json } from '../support/http/client.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { startTestService } from '../support/processes/service.ts';
import { fund } from '../support/resources/flows.ts';
import { customerWith } from '../support/resources/payments.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';

const tables = [
  'internal_accounts',
  'ledger_balances',
  'postings',
  'transactions',
  'uncompleted_transactions',
  'transaction_totals',
  'checkpoints',
  'parked_work',
] as const;

const keepTables = async (url: string, as: string) => {
  for (const table of tables) await query(url, `create table ${as}_${table} as table daybook.${table}`);
};
const putBackTables = async (url: string, as: string) => {
  for (const table of tables) {
    await query(url, `delete from daybook.${table}`);
    await query(url, `insert into daybook.${table} table ${as}_${table}`);
  }
};

/** Where the log is kept, and how it is read there. */
const stores = {
  postgres: async () => ({
    variables: {},
    positions: 'dense' as const,
    readerAt: postgresLogReader,
    close: async () => undefined,
  }),
  eventstoredb: async () => {
    const server = await startEventStoreDb();
    return {
      variables: { EVENTSTORE_URL: server.url },
      positions: 'growing' as const,
      readerAt: () => eventStoreDb({ url: server.url, log: { warn: () => undefined } }),
      close: () => server.close(),
    };
  },
};

/** By table: what is compared, also by being the key of a row. */
const compared: Readonly<Record<string, readonly string[]>> = {
  internal_accounts: ['id', ...accountColumns],
  ledger_balances: ['platform_id', 'account', 'currency', 'minor'],
  postings: ['position', 'n', ...postingColumns],
  transactions: ['id', ...paymentColumns],
  uncompleted_transactions: ['platform_id', 'status', 'created_at', 'id'],
  transaction_totals: ['platform_id', 'customer_id', 'total'],
};
const notCompared: Readonly<Record<string, string>> = {
  'transactions.description': 'it is sealed in the log',
  'transactions.counterparty_information': 'it is sealed in the log',
};

it('each column of the tables is compared, or there is a reason why not', async () => {
  const { databaseUrl: url, stop } = await startTestService();
  const rows = await query(
    url,
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'daybook' and table_name = any($1)`,
    [Object.keys(compared)],
  );
  await stop();
  const named = Object.entries(compared).flatMap(([table, columns]) =>
    columns.map((one) => `${table}.${one}`),
  );
  expect(rows.map(({ name }: Json) => name).toSorted()).toEqual(
    [...named, ...Object.keys(notCompared)].toSorted(),
  );
});

describe.each(['postgres', 'eventstoredb'] as const)('beside a log in %s', (kind) => {
  let at: Awaited<ReturnType<(typeof stores)[typeof kind]>>;
  let url: string;
  let log: LogReader;
  let account: string;

  beforeAll(async () => {
    at = await stores[kind]();
    const service = await startTestService({ variables: at.variables });
    url = service.databaseUrl;
    ({
      account: { id: account },
    } = await customerWith(service.client, 12_345));
    await fund(service.client, account, 100);
    await keepTables(url, 'former');
    await fund(service.client, account, 200);
    await service.stop();
    await keepTables(url, 'last');
    log = at.readerAt(url);
  });
  afterAll(async () => {
    await log?.close();
    await at?.close();
  });

  const verified = async () => {
    let seen: SeenLog | undefined;
    await comparing(url, log, async (comparison) => {
      seen = await verifiedLog(log, at.positions, { comparison });
    });
    return seen?.readModels;
  };
  /** With the tables changed, until it has ended. */
  const faultAfter = async (change: string, values: readonly unknown[] = []) => {
    await query(url, change, [...values]);
    const fault = await verified().then(
      () => undefined,
      (error) => error,
    );
    await putBackTables(url, 'last');
    return fault;
  };

  it('they are as the log has them', async () => {
    expect(await verified()).toMatchObject({
      compared: true,
      position: await log.last(),
      postings: 6,
      payments: 3,
    });
  });

  it('they are compared at the position that they have reached', async () => {
    await putBackTables(url, 'former');
    expect(await verified()).toMatchObject({ compared: true, postings: 4, payments: 2 });
    expect(
      await faultAfter('update daybook.internal_accounts set balance = 12645 where balance = 12445'),
    ).toMatchObject({ account, currency: 'USD', copied: 12_645n, logged: 12_445n });
  });

  it.each([
    ['internal_accounts', 'balance', 'balance = balance + 1 where balance <> 0', 12_646n, 12_645n],
    ['ledger_balances', 'minor', `minor = minor + 1 where account = 'rail'`, -12_644n, -12_645n],
    ['ledger_balances', 'minor', `minor = minor + 1 where account = 'internal'`, 12_646n, 12_645n],
    ['postings', 'minor', 'minor = minor + 1 where minor = 100', 101n, 100n],
    ['postings', 'balance', 'balance = balance + 1 where minor = 100', 12_446n, 12_445n],
    ['postings', 'balance', 'balance = null where minor = 100', null, 12_445n],
    ['postings', 'balance', 'balance = 7 where minor = -100', 7n, null],
    ['postings', 'held', 'held = held + 1 where minor = -100', -12_444n, -12_445n],
    ['postings', 'held', 'held = null where minor = -100', null, -12_445n],
  ])('a change of %s.%s is found: %s', async (readModel, column, change, copied, logged) => {
    const fault = await faultAfter(`update daybook.${readModel} set ${change}`);
    expect(fault).toBeInstanceOf(ReadModelFault);
    expect(fault).toMatchObject({ readModel, column, copied, logged, currency: 'USD' });
    expect(fault.message).toMatch(
      new RegExp(
        `^${readModel} has ${copied ?? 'nothing'} as ${column} of .*, and the log ${logged ?? 'nothing'}`,
      ),
    );
  });

  it.each([
    ['transaction_id = null where minor = 100', null, expect.stringMatching(/^Transaction:/)],
    [`transaction_id = 'Transaction:other' where minor = 100`, 'Transaction:other', expect.any(String)],
    [`transaction_id = 'Transaction:other' where minor = -100`, 'Transaction:other', null],
  ])('another payment of a posting is found: %s', async (change, copied, logged) => {
    const fault = await faultAfter(`update daybook.postings set ${change}`);
    expect(fault).toBeInstanceOf(ReadModelFault);
    expect(fault).toMatchObject({ readModel: 'postings', column: 'transaction_id', copied, logged });
  });

  it.each([
    ['platform_id', `platform_id = 'Platform:other'`],
    ['customer_id', 'customer_id = null'],
    ['type', `type = 'EMBEDDED_WALLET'`],
    ['status', `status = 'FROZEN'`],
    ['held', 'held = held + 1'],
    ['private_enabled', 'private_enabled = not private_enabled'],
    ['created_at', `created_at = created_at - interval '1 year'`],
    ['updated_at', `updated_at = updated_at + interval '1 year'`],
  ])('a change of an account is found: %s', async (column, change) => {
    const fault = await faultAfter(`update daybook.internal_accounts set ${change} where id = '${account}'`);
    expect(fault).toBeInstanceOf(ReadModelFault);
    expect(fault).toMatchObject({ readModel: 'internal_accounts', column, account, currency: 'USD' });
  });

  it.each([
    ['at', `at = at - interval '1 year'`],
    ['happened_at', `happened_at = happened_at - interval '1 year'`],
    ['happened_at', 'happened_at = null'],
    ['recorded_high', `recorded_high = recorded_high - interval '1 year'`],
    ['recorded_high', `recorded_high = recorded_high + interval '1 year'`],
  ])('another moment of a posting is found: %s, %s', async (column, change) => {
    const fault = await faultAfter(`update daybook.postings set ${change} where minor = 100`);
    expect(fault).toBeInstanceOf(ReadModelFault);
    expect(fault).toMatchObject({ readModel: 'postings', column, account });
    expect(fault.logged).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it.each([
    ['status', `status = 'PENDING'`, 'PENDING', 'COMPLETED'],
    ['sent_minor', 'sent_minor = sent_minor + 1', 12_346n, 12_345n],
    ['received_currency', `received_currency = 'EUR'`, 'EUR', 'USD'],
    [
      'receiver_account',
      `receiver_account = 'InternalAccount:of-somebody'`,
      'InternalAccount:of-somebody',
      undefined,
    ],
    ['customer_id', 'customer_id = null', null, undefined],
    ['platform_customer_id', `platform_customer_id = 'somebody-else'`, 'somebody-else', undefined],
    [
      'destination',
      `destination = jsonb_set(to_jsonb(destination), '{accountId}', '"InternalAccount:of-somebody"')`,
      '{"kind":"INTERNAL","accountId":"InternalAccount:of-somebody"}',
      undefined,
    ],
    ['source', `source = '{"kind": "INTERNAL"}'`, '{"kind":"INTERNAL"}', undefined],
    ['settled_at', 'settled_at = null', null, undefined],
    ['refund', `refund = '{"status": "COMPLETED"}'`, '{"status":"COMPLETED"}', null],
  ])('a change of a payment is found: %s', async (column, change, copied, logged) => {
    const fault = await faultAfter(`update daybook.transactions set ${change} where sent_minor = 12345`);
    expect(fault).toBeInstanceOf(ReadModelFault);
    expect(fault).toMatchObject({
      readModel: 'transactions',
      column,
      copied,
      ...(logged !== undefined && { logged }),
    });
    expect(fault.message).toMatch(
      new RegExp(`^transactions has .* as ${column} of Transaction:.*, and the log .*, at position`),
    );
  });

  it('a payment that is missing is found, one too many, and a wrong number of them', async () => {
    expect(await faultAfter('delete from daybook.transactions where sent_minor = 100')).toMatchObject({
      readModel: 'transactions',
      column: 'status',
      copied: undefined,
      logged: 'COMPLETED',
    });
    expect(
      await faultAfter(`insert into daybook.transactions
        select (jsonb_populate_record(t, '{"id": "Transaction:of-nobody", "reference": "other"}')).*
        from daybook.transactions t where sent_minor = 100`),
    ).toMatchObject({ readModel: 'transactions', column: 'number of rows', copied: 4, logged: 3 });
    expect(
      await faultAfter(`update daybook.transaction_totals set total = total + 1 where customer_id <> ''`),
    ).toMatchObject({ readModel: 'transaction_totals', column: 'total', copied: 4n, logged: 3n });
  });

  it('a payment that is listed with another status than it has is found', async () => {
    const listed = { readModel: 'uncompleted_transactions', column: 'status' };
    expect(
      await faultAfter(`insert into daybook.uncompleted_transactions
        select platform_id, 'PENDING', created_at, id from daybook.transactions where sent_minor = 100`),
    ).toMatchObject({ ...listed, copied: 'PENDING', logged: undefined });
  });

  it('rows that are missing are found, and rows too many', async () => {
    const missing = { copied: undefined, logged: 12_645n };
    expect(await faultAfter('delete from daybook.internal_accounts where id = $1', [account])).toMatchObject({
      account,
      ...missing,
    });
    expect(await faultAfter(`delete from daybook.ledger_balances where account = 'rail'`)).toMatchObject({
      account: 'rail',
      copied: undefined,
      logged: -12_645n,
    });
    const own = `account = '${account}'`;
    expect(await faultAfter(`delete from daybook.postings where ${own} and minor = 100`)).toMatchObject({
      readModel: 'postings',
      account,
      logged: 100n,
      stream: `account-${account.slice('InternalAccount:'.length)}`,
    });
    const again = 'insert into daybook.postings select * from changed';
    await query(url, `create table changed as select * from daybook.postings where ${own} and minor = 100`);
    await query(url, 'update changed set n = 7');
    const surplus = { readModel: 'postings', account, copied: 100n, logged: undefined };
    expect(await faultAfter(again)).toMatchObject(surplus);
    await query(url, 'update changed set position = (select max(position) from daybook.postings)');
    expect(await faultAfter(again)).toMatchObject(surplus);
    await query(url, 'drop table changed');
  });

  it('read models that have come farther than the log are told', async () => {
    const end = await log.last();
    const fault = await faultAfter(
      `update daybook.checkpoints set position = position + 5 where name = 'projections'`,
    );
    expect(fault.message).toBe(
      `the read models have come to position ${end + 5n}, and the log ends at ${end}`,
    );
  });

  it('rows that were made late are reckoned with', async () => {
    // As if the first posting of the second deposit had been set aside until all others were there.
    await query(
      url,
      `update daybook.postings set projected_after = l.position, recorded_high = l.recorded_high
       from (select position, recorded_high from daybook.postings order by position desc limit 1) l
       where minor = 100`,
    );
    await query(url, `update daybook.postings set held = held - 100 where minor = 200`);
    await keepTables(url, 'late');
    expect(await verified()).toMatchObject({ compared: true });
    expect(await faultAfter('update daybook.postings set held = held + 100 where minor = 200')).toMatchObject(
      {
        column: 'held',
        copied: 12_645n,
        logged: 12_545n,
      },
    );
    await putBackTables(url, 'late');
    expect(
      await faultAfter('update daybook.postings set recorded_high = at where projected_after is not null'),
    ).toMatchObject({ column: 'recorded_high', copied: expect.any(String), logged: expect.any(String) });
  });

  it.each([
    ['1', 200],
    ['1', 100],
    ['position', 100],
    // The events before that of the last posting have none, and there is none after it.
    ['(select max(position) - 1 from daybook.postings)', 100],
    ['(select max(position) + 1 from daybook.postings)', 200],
  ])('a row is made late by no other than a later posting: not by %s, that of %s', async (after, minor) => {
    const fault = await faultAfter(
      `update daybook.postings set projected_after = ${after} where minor = ${minor}`,
    );
    expect(fault).toBeInstanceOf(ReadModelFault);
    expect(fault).toMatchObject({ readModel: 'postings', column: 'projected_after', account });
    expect(fault.logged ?? undefined).toBe(undefined);
  });

  it('nothing is compared where rows are set aside, or the tables are those of another log', async () => {
    await query(
      url,
      `insert into daybook.parked_work (consumer, stream, revision, position, event_id, type, error, next_try_at)
       values ('ledger', $1, 1, 1, gen_random_uuid(), 'AccountCredited', 'test', now())`,
      [`account-${account}`],
    );
    expect(await verified()).toMatchObject({ compared: false, because: expect.stringMatching(/set aside/) });
    await putBackTables(url, 'last');
    await query(url, `update daybook.followed_log set log_id = gen_random_uuid()`);
    expect(await verified()).toMatchObject({
      compared: false,
      because: expect.stringMatching(/another log/),
    });
  });
});

it('nothing is compared where no database is named, or it has no read models', async () => {
  const log = { ...memoryEventStore(), read: async () => [] };
  const becauseOf = async (url: string | undefined) => {
    let result: Compared | undefined;
    await comparing(url, log, async (comparison) => {
      result = await comparison.result();
    });
    return result;
  };
  expect(await becauseOf(undefined)).toMatchObject({
    compared: false,
    because: expect.stringMatching(/DATABASE_URL/),
  });
  expect(await becauseOf(await createDatabase())).toMatchObject({
    compared: false,
    because: expect.stringMatching(/none/),
  });
});
