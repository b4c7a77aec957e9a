import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { heldCredits } from '../../projections/migrations/0066-held-credits.ts';
import { query } from '../support/postgres/database.ts';
import { booksOf } from '../support/postgres/read-models.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { customerWith, receive } from '../support/resources/payments.ts';

const service = serviceOfTests();
const { client } = service;

/** By the order of their accounts. */
const heldIn = (url: string) =>
  query<{ held: string }>(url, 'select held::text from daybook.internal_accounts order by id');

it('frozen accounts of a former version get what they hold from the log', async () => {
  const { databaseUrl: url } = service;
  const parties = [await customerWith(client), await customerWith(client)];
  const freeze = { status: 'FROZEN', reason: 'Court order 7' };
  for (const { account, customer } of parties) {
    expectStatus(await client.post(`/sandbox/internal-accounts/${account.id}/status`, freeze), 200);
    for (const _ of [1, 2]) expectStatus(await receive(client, { customerId: customer.id }), 200);
  }
  const [{ account: unfrozen } = { account: undefined }] = parties;
  const twice = (rows: readonly { held: string }[]) => rows.filter(({ held }) => held === '5000').length;
  await eventually(
    () => heldIn(url),
    (rows) => twice(rows) === 2,
  );
  await client.post(`/sandbox/internal-accounts/${unfrozen?.id}/status`, { status: 'ACTIVE' });
  await client.post(`/sandbox/internal-accounts/${unfrozen?.id}/status`, freeze);
  const projected = await eventually(
    () => heldIn(url),
    (rows) => twice(rows) === 1,
  );
  await query(url, 'alter table daybook.internal_accounts drop column held');
  await heldCredits.up(booksOf(url).db as unknown as Kysely<unknown>);
  expect(await heldIn(url)).toEqual(projected);
});
