/** @daybook/client from its tarball, by the code of its README, against the service. */
import { createClient } from '@daybook/client';
import { verifyWebhook, WebhookVerificationError } from '@daybook/client/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceOfTests } from '../support/processes/service.ts';
import { type Installed, installPacked, saveFilesOf } from '../support/repository/packages.ts';
import { eventually } from '../support/resources/flows.ts';
import { startReceiver } from '../support/servers/receiver.ts';

const service = serviceOfTests();
const clientHere = () => createClient({ baseUrl: service.url, ...service.credentials });

describe('the README of @daybook/client, from the tarball in an empty folder', () => {
  let installed: Installed;
  beforeAll(async () => {
    installed = await installPacked(['client']);
  });
  afterAll(() => installed?.remove());

  const runIt = async (file: string) => {
    const { clientId, clientSecret } = service.credentials;
    expect(await saveFilesOf('packages/client/README.md', installed.directory)).toContain(file);
    return installed.node(file, {
      DAYBOOK_URL: service.url,
      DAYBOOK_CLIENT_ID: clientId,
      DAYBOOK_CLIENT_SECRET: clientSecret,
    });
  };

  it('pays somebody, is refused, and lists what happened', async () => {
    const lines = (await runIt('pay.mjs')).trim().split('\n');
    expect(lines.slice(0, 2)).toEqual(['paid: PENDING', 'refused: INSUFFICIENT_BALANCE']);
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^Transaction:/),
      expect.stringMatching(/^Transaction:/),
    ]);
  });

  it('receives a webhook', async () => {
    expect(await runIt('receive.mjs')).toBe('received: TEST\n');
  });
});

describe('a webhook', () => {
  it('is known by either signature, and is refused with another key, another body, or too late', async () => {
    const client = clientHere();
    const receiver = await startReceiver();
    await client.updatePlatformConfig({ body: { webhookEndpoint: receiver.url } });
    const [first] = await eventually(
      async () => receiver.received,
      ({ length }) => length > 0,
    );
    await receiver.close();
    const { webhookPublicKey: publicKey } = await client.getPlatformConfig();
    const keys = await client.getWebhookKeys();
    const secret = keys.data.map((key) => key.secret ?? '');
    const received = { body: first?.raw ?? '', headers: first?.headers ?? {} };

    expect(verifyWebhook(received, { publicKey }).type).toBe('TEST');
    expect(verifyWebhook(received, { secret }).type).toBe('TEST');
    const asRequest = new Headers(received.headers as Record<string, string>);
    expect(verifyWebhook({ ...received, headers: asRequest }, { secret }).type).toBe('TEST');

    const refused = [
      () => verifyWebhook({ ...received, body: `${received.body} ` }, { publicKey }),
      () => verifyWebhook({ ...received, body: `${received.body} ` }, { secret }),
      () => verifyWebhook(received, { secret: `whsec_${'A'.repeat(44)}` }),
      () => verifyWebhook({ ...received, headers: {} }, { secret }),
      () => verifyWebhook({ ...received, headers: {} }, { publicKey }),
      () => verifyWebhook(received, { secret }, -1),
    ];
    for (const verify of refused) expect(verify).toThrow(WebhookVerificationError);
  });
});
