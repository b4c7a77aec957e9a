import { expect, it } from 'vitest';
import { silentAfter } from '../../../src/workers/webhooks/lanes/lane.ts';
import { query } from '../../support/postgres/database.ts';
import { serviceOfTests } from '../../support/processes/service.ts';
import { createCustomer, eventually, expectStatus, fund } from '../../support/resources/flows.ts';
import { customerWith } from '../../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../../support/resources/snapshots.ts';
import { startReceiver } from '../../support/servers/receiver.ts';

const service = serviceOfTests();

it('an endpoint that fell silent at a later time is called again once the platform is back before it', async () => {
  const client = await service.newPlatform();
  const { account } = await customerWith(client, 0);
  const gone = await startReceiver();
  expectStatus(await client.patch('/config', { webhookEndpoint: gone.url }), 200);
  await eventually(
    async () => gone.received.length,
    (count) => count > 0,
  );
  const snapshot = await takeSnapshot(client);
  await gone.close();
  expectStatus(await client.post('/sandbox/clock/advance', { duration: 'P3D' }), 200);
  // Each has a webhook of its own, which waits for no other.
  for (let n = 0; n < silentAfter; n++) await createCustomer(client);
  const isClosed =
    "select from daybook.webhook_lanes where closed_until > clock_timestamp() + interval '2 days'";
  await eventually(
    () => query(service.databaseUrl, isClosed),
    (lanes) => lanes.length === 1,
  );

  await restoreSnapshot(client, snapshot);
  const receiver = await startReceiver(gone);
  await fund(client, account.id, 1);
  const told = await eventually(
    async () => receiver.typesAbout(account.id),
    (types) => types.length > 0,
  );
  expect(told).toContain('INTERNAL_ACCOUNT.BALANCE_UPDATED');
  expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
  await receiver.close();
});
