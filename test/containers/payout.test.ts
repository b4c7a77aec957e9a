import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { eventually } from '../support/resources/flows.ts';
import { type Servers, startServers, whyNoDocker, whyNoEventStoreDb } from '../support/servers/containers.ts';
import { payOut } from './payout-flow.ts';

const noDocker = await whyNoDocker();
const shapes = [
  { name: 'the log in Postgres and jobs on Redis', eventStoreDb: false, missing: noDocker },
  {
    name: 'the log in EventStoreDB and jobs on Redis',
    eventStoreDb: true,
    missing: noDocker ?? (await whyNoEventStoreDb()),
  },
];

for (const { name, eventStoreDb, missing } of shapes) {
  describe.skipIf(missing)(`with ${name}`, () => {
    let servers: Servers;
    let service: TestService;
    const start = () =>
      startTestService({ databaseUrl: servers.outside.DATABASE_URL, variables: servers.outside });
    beforeAll(async () => {
      servers = await startServers({ eventStoreDb });
      service = await start();
    });
    afterAll(async () => {
      await service?.stop();
      await servers?.stop();
    });

    it('completes a payout with balanced books', () => payOut(service.client));

    it('completes several payouts at once', () =>
      Promise.all(Array.from({ length: 8 }, () => payOut(service.client))));

    it('answers /readyz as ready', async () => {
      const response = await eventually(
        () => fetch(new URL('/readyz', service.url)),
        ({ status }) => status === 200,
      );
      expect(await response.json()).toMatchObject({ status: 'ready', notReady: [] });
    });

    it('completes a payout after a restart', async () => {
      await service.stop();
      service = await start();
      await payOut(service.client);
    });
  });
}
