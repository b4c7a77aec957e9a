/** A log in EventStoreDB, which takes so many bytes in one append. */
import { expect, it } from 'vitest';
import { expectProblem } from '../../support/http/problems.ts';
import { query } from '../../support/postgres/database.ts';
import { fund, payoutParties } from '../../support/resources/flows.ts';
import { balanceOf } from '../../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../../support/resources/snapshots.ts';
import { startOnEventStoreDb } from '../../support/servers/eventstoredb-server/service.ts';

/** A platform with a snapshot in which an account has 1,020 of 21 deposits, and that has 77 more now. */
async function onEventStoreDb() {
  const { log, server, databaseUrl, client } = await startOnEventStoreDb();
  const { customer, account } = await payoutParties(client, 1_000);
  for (let n = 0; n < 20; n++) await fund(client, account.id, 1);
  const snapshot = await takeSnapshot(client);
  await fund(client, account.id, 77);
  const typed = (type: string) => log.all.filter((event) => event.type === type);
  return { databaseUrl, server, client, customer, account, snapshot, typed };
}

it('a platform goes back whose copies are more than the log takes at once', async () => {
  const { server, client, customer, account, snapshot, typed } = await onEventStoreDb();
  server.standing.appendBytesMax = 8_000;
  await restoreSnapshot(client, snapshot);
  expect(await balanceOf(client, customer.id)).toBe(1_020);
  expect((await fund(client, account.id, 1)).balance.amount).toBe(1_021);
  expect(typed('PlatformStateRestored')).toHaveLength(1);
});

it('a platform stays where it is that has more streams than the log takes the names of at once', async () => {
  const { databaseUrl, server, client, customer, snapshot, typed } = await onEventStoreDb();
  const usual = server.standing.appendBytesMax;
  server.standing.appendBytesMax = 600;
  const refused = await client.post(`/sandbox/snapshots/${snapshot.id}/restore`);
  server.standing.appendBytesMax = usual;
  expectProblem(refused, 409, 'CONFLICT');
  expect(refused.body.message).toContain('objects');
  expect(typed('PlatformStateRestored')).toEqual([]);
  expect(await query(databaseUrl, 'select restoring from daybook.sandbox_snapshots')).toEqual([
    { restoring: null },
  ]);
  expect(await balanceOf(client, customer.id)).toBe(1_097);
  await restoreSnapshot(client, snapshot);
  expect(await balanceOf(client, customer.id)).toBe(1_020);
});
