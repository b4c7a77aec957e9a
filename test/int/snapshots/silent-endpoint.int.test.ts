import { expect, it } from 'vitest';
import { query } from '../../support/postgres/database.ts';
import { serviceOfTests } from '../../support/processes/service.ts';
import { eventually, expectStatus, fund } from '../../support/resources/flows.ts';
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
  await fund(client, account.id, 1);
  expectStatus(await client.post('/sandbox/clock/advance', { duration: 'P3D' }), 200);
  const isClosed =
    "select from daybook.webhook_lanes where closed_until > clock_timestamp() + interval '2 days'";
  await eventually(
    () => query(service.databaseUrl, isClosed),
    (lanes) => lanes.length === 1,
  );

  await restoreSnapshot(client, snapshot);
  const receiver = await startReceiver(gone);
  await fund(client, account.id, 2);
  await eventually(
    async () => receiver.typesAbout(account.id),
    (types) => types.includes('INTERNAL_ACCOUNT.BALANCE_UPDATED'),
  );
  expect(receiver.received.length).toBeGreaterThan(0);
  expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
  await receiver.close();
});
