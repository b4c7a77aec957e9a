/** @daybook/testcontainers: from its tarball, by the code of its README, and on servers beside it. */
import { DaybookContainer, type StartedDaybookContainer } from '@daybook/testcontainers';
import { getContainerRuntimeClient } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../support/postgres/database.ts';
import { type Installed, installPacked, saveFilesOf } from '../support/repository/packages.ts';
import { buildImage, type Servers, startServers, whyNoDocker } from '../support/servers/containers.ts';

const noDocker = await whyNoDocker();
const body = { customerType: 'INDIVIDUAL', fullName: 'Ada Lovelace', region: 'US' } as const;

describe.skipIf(noDocker)('the module of testcontainers', () => {
  let image: string;
  beforeAll(async () => {
    image = await buildImage('sandbox');
  });

  describe('from the tarball in an empty folder', () => {
    let installed: Installed;
    beforeAll(async () => {
      const { dockerode } = (await getContainerRuntimeClient()).container;
      await dockerode.getImage(image).tag({ repo: 'daybook', tag: 'sandbox' });
      installed = await installPacked(['client', 'testcontainers']);
      await saveFilesOf('packages/testcontainers/README.md', installed.directory);
    });
    afterAll(() => installed?.remove());
    const withoutReaper = { TESTCONTAINERS_RYUK_DISABLED: 'true', HOME: process.env.HOME ?? '/' };

    it.each([
      ['pay.mjs', 'Ada Lovelace\n'],
      ['snapshots.mjs', '2\n1\n'],
    ])('runs the code of its README: %s', async (file, printed) => {
      expect(await installed.node(file, withoutReaper)).toBe(printed);
    });
  });

  describe('a container by itself', () => {
    let container: StartedDaybookContainer;
    beforeAll(async () => {
      container = await new DaybookContainer(image).start();
    });
    afterAll(() => container?.stop());

    it('tells where it is and how to be asked', async () => {
      const authorization = `Basic ${btoa(`${container.getClientId()}:${container.getClientSecret()}`)}`;
      const { status } = await fetch(`${container.getBaseUrl()}/config`, { headers: { authorization } });
      expect(status).toBe(200);
    });

    it('keeps several snapshots, each under its name, and goes back to any of them', async () => {
      const count = async () => (await container.client().listCustomers()).totalCount;
      await container.snapshot('none');
      await container.client().createCustomer({ body });
      await container.withSnapshotName('one').snapshot();
      await container.restoreSnapshot('none');
      expect(await count()).toBe(0);
      await container.restoreSnapshot();
      expect(await count()).toBe(1);
    });

    it('has no snapshot that was not taken, and goes on', async () => {
      await expect(container.restoreSnapshot('never')).rejects.toThrow('there is no snapshot never');
      await expect(container.snapshot('../up')).rejects.toThrow(/is named by/);
      await container.client().getPlatformConfig();
    });

    it('ends in order when it is stopped', async () => {
      const { container: containers } = await getContainerRuntimeClient();
      const stopped = containers.getById(container.getId());
      await container.stop({ remove: false, timeout: 15_000 });
      expect((await stopped.inspect()).State.ExitCode).toBe(0);
      await stopped.remove({ v: true });
    });
  });

  describe('a container on servers beside it', () => {
    let servers: Servers;
    beforeAll(async () => {
      servers = await startServers();
    });
    afterAll(() => servers?.stop());

    it('keeps its books in that Postgres, and takes no snapshots', async () => {
      const { DATABASE_URL, REDIS_URL } = servers.inside;
      const beside = new DaybookContainer(image).withNetwork(servers.network);
      await using container = await beside.withDatabase(DATABASE_URL).withRedis(REDIS_URL).start();
      const { id } = await container.client().createCustomer({ body });
      const found = await query(
        servers.outside.DATABASE_URL,
        'select id from daybook.customers where id = $1',
        [id],
      );
      expect(found).toHaveLength(1);
      await expect(container.snapshot()).rejects.toThrow(/uses other servers/);
    });
  });
});
