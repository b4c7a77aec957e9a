import { expect, it } from 'vitest';
import { expectStatus, fund, payoutParties } from '../../support/resources/flows.ts';
import { balanceOf } from '../../support/resources/payments.ts';
import { takeSnapshot } from '../../support/resources/snapshots.ts';
import { startOnEventStoreDb } from '../../support/servers/eventstoredb-server/service.ts';

it('a platform comes all the way back where the log has not said that it took the first step', async () => {
  const { log, server, client } = await startOnEventStoreDb();
  const { customer, account } = await payoutParties(client, 1_000);
  const snapshot = await takeSnapshot(client);
  await fund(client, account.id, 77);
  // More often than one call is repeated.
  server.faults.appends.push('written, then the connection is lost', ...Array(7).fill('unavailable'));
  expectStatus(await client.post(`/sandbox/snapshots/${snapshot.id}/restore`), 200);
  expect(server.faults.appends).toEqual([]);
  expect(await balanceOf(client, customer.id)).toBe(1_000);
  expect((await fund(client, account.id, 1)).balance.amount).toBe(1_001);
  const steps = log.all.filter(({ type }) => type === 'PlatformStateRestored');
  expect(steps).toHaveLength(1);
});
