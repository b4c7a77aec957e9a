/** Snapshots of a service that was stopped, and started again on the same database. */
import { expect, it, onTestFinished } from 'vitest';
import { clientOf } from '../../support/http/client.ts';
import { startTestService, type TestService } from '../../support/processes/service.ts';
import { fund, payoutParties } from '../../support/resources/flows.ts';
import { balanceOf } from '../../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../../support/resources/snapshots.ts';

/** The first start is that of a new installation. */
async function startAgain({ databaseUrl, credentials, stop }: TestService) {
  await stop();
  const service = await startTestService({
    databaseUrl,
    variables: {
      DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
    },
  });
  onTestFinished(service.stop);
  return { ...service, client: clientOf(service.url, credentials), credentials };
}

it('a snapshot is taken, and gone back to, before anything else is written', async () => {
  const first = await startTestService();
  const { customer, account } = await payoutParties(first.client, 1_000);
  const earlier = await takeSnapshot(first.client);
  await fund(first.client, account.id, 77);
  const second = await startAgain(first);
  await takeSnapshot(second.client);
  await restoreSnapshot(second.client, earlier);
  const third = await startAgain(second);
  await restoreSnapshot(third.client, earlier);
  expect(await balanceOf(third.client, customer.id)).toBe(1_000);
});
