/** The tables are lost, and made from the log: what was asked for under a key is not done again. */
import { expect, it } from 'vitest';
import { rebuildModels } from '../../src/app/cli/commands/rebuild.ts';
import { restoreTables } from '../../src/app/cli/commands/restore.ts';
import { clientOf } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { newCredentials, startTestService, testMasterKey } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { balanceOf, customerWith, registerUsd } from '../support/resources/payments.ts';

/** A command of an operator. */
async function onTables(databaseUrl: string, command: () => Promise<void>): Promise<void> {
  const variables = { DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: testMasterKey };
  Object.assign(process.env, variables);
  await command().finally(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
}
const restored = (databaseUrl: string) => onTables(databaseUrl, () => restoreTables({}));

it('a rebuild of all read models begins without closings, which may be of a time without the keys of persons', async () => {
  const { databaseUrl, stop } = await startTestService();
  await stop();
  await query(
    databaseUrl,
    `insert into daybook.closings (stream, version, revision, event_id, state, digest)
     values ('wallet-1', 1, 1, gen_random_uuid(), '{}', '')`,
  );
  const left = () => query(databaseUrl, 'select from daybook.closings');
  await onTables(databaseUrl, () => rebuildModels(['customers']));
  expect(await left()).toHaveLength(1);
  await onTables(databaseUrl, () => rebuildModels([]));
  expect(await left()).toEqual([]);
});

it.each([
  ['a service that is started beside it', async () => undefined],
  ['daybook restore, and nothing more', restored],
])('a payment is not made again under its key where the tables are made by %s', async (_by, make) => {
  const credentials = newCredentials();
  const variables = {
    DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
  };
  const first = await startTestService({ variables });
  const { databaseUrl } = first;
  const { customer, account } = await customerWith(first.client, 10_000);
  const { id: to } = await registerUsd(first.client, customer.id);
  const body = { source: { accountId: account.id }, destination: { accountId: to }, amount: 1_000 };
  const key = { 'Idempotency-Key': 'a payment of before' };
  const paid = expectStatus(await first.client.post('/transfer-out', body, key), 201);
  await first.stop();
  await query(databaseUrl, 'drop schema daybook cascade');
  await make(databaseUrl);

  const second = await startTestService({ databaseUrl, variables });
  const client = clientOf(second.url, credentials);
  const again = await eventually(
    () => client.post('/transfer-out', body, key),
    ({ status }) => status !== 503,
  );
  expect(expectStatus(again, 201).id).toBe(paid.id);
  expect(await balanceOf(client, customer.id)).toBe(9_000);
  await second.stop();
});
