import { expect, it } from 'vitest';
import type { Credentials } from '../../src/app/bootstrap.ts';
import { startService } from '../../src/app/service.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { clientOf, type Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { createDatabase } from '../support/postgres/database.ts';
import { shareDomain } from '../support/postgres/former-installation.ts';
import { newCredentials, testConfig } from '../support/processes/service.ts';
import { setDomain } from '../support/resources/domains.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';

async function started(databaseUrl: string, credentials: Credentials) {
  const config = testConfig(databaseUrl, credentials);
  const { url = '', stop } = await startService(config, { log: createLog('silent') });
  return { client: clientOf(url, credentials), stop };
}

it('platforms that had one domain are told apart: the first keeps it, and nobody loses an address', async () => {
  const databaseUrl = await createDatabase();
  const [first, second] = [newCredentials(), newCredentials()];
  const one = await started(databaseUrl, first);
  await one.stop();
  const two = await started(databaseUrl, second);
  const { umaDomain: own }: Json = expectStatus(await two.client.get('/config'), 200);
  const customer = await createCustomer(two.client);
  await two.stop();
  await shareDomain(databaseUrl, 'daybook.test', own);

  // Whoever starts first: the other one's platform is older.
  const again = await started(databaseUrl, second);
  const config = expectStatus(await again.client.get('/config'), 200);
  expect(config.umaDomain).toBe(`${config.proxyUmaSubdomain}.daybook.test`);
  expect(expectStatus(await again.client.get(`/customers/${customer.id}`), 200).umaAddress).toBe(
    customer.umaAddress,
  );
  expectProblem(await setDomain(again.client, 'daybook.test'), 409, 'CONFLICT');
  const older = await started(databaseUrl, first);
  expect(expectStatus(await older.client.get('/config'), 200).umaDomain).toBe('daybook.test');
  await older.stop();
  await again.stop();
});
