/** Snapshots of a service that was stopped, and started again on the same database. */
import { expect, it, onTestFinished } from 'vitest';
import { clientOf } from '../../support/http/client.ts';
import { startTestService, type TestService } from '../../support/processes/service.ts';
import { expectStatus, fund, payoutParties } from '../../support/resources/flows.ts';
import { balanceOf } from '../../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../../support/resources/snapshots.ts';

/** The first start is that of a new installation. */
async function startAgain({ databaseUrl, credentials, stop }: TestService, clientSecret?: string) {
  await stop();
  const own = { ...credentials, ...(clientSecret !== undefined && { clientSecret }) };
  const service = await startTestService({
    databaseUrl,
    variables: {
      DAYBOOK_BOOTSTRAP_CLIENT_ID: own.clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: own.clientSecret,
    },
  });
  onTestFinished(service.stop);
  return { ...service, client: clientOf(service.url, own), credentials: own };
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

it('a platform that goes back keeps the secrets that its tokens have now', async () => {
  const first = await startTestService();
  const { customer, account } = await payoutParties(first.client, 1_000);
  const snapshot = await takeSnapshot(first.client);
  const { client, url } = await startAgain(first, 'another-secret-of-the-operator');
  await fund(client, account.id, 77);
  const former = clientOf(url, first.credentials);
  for (let n = 0; n < 2; n++) {
    await restoreSnapshot(client, snapshot);
    expect(await balanceOf(client, customer.id)).toBe(1_000);
    expectStatus(await former.get('/config'), 401);
  }
});
