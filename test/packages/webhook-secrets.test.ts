import { createHmac } from 'node:crypto';
import { verifyWebhook } from '@daybook/client/webhooks';
import { describe, expect, it } from 'vitest';

const key = Buffer.alloc(32, 7);
const body = () => JSON.stringify({ id: 'Webhook:1', type: 'TEST', timestamp: new Date(), data: {} });

/** As whoever knows the key would send it. */
function signed(by: Buffer) {
  const text = body();
  const at = String(Math.floor(Date.now() / 1_000));
  const mac = createHmac('sha256', by).update(`id.${at}.${text}`).digest('base64');
  const headers = { 'webhook-id': 'id', 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` };
  return { body: text, headers };
}

describe('a webhook', () => {
  it('is taken where it is signed with the secret', () => {
    const secret = `whsec_${key.toString('base64')}`;
    expect(verifyWebhook(signed(key), { secret }).id).toBe('Webhook:1');
  });

  it.each([
    ['', Buffer.alloc(0)],
    ['whsec_', Buffer.alloc(0)],
    ['whsec_AAAA', Buffer.alloc(3)],
    ['undefined', Buffer.from('undefined', 'base64')],
  ])('is not taken by the secret %j, which everybody knows', (secret, by) => {
    expect(() => verifyWebhook(signed(by), { secret })).toThrow(TypeError);
    expect(() => verifyWebhook(signed(by), { secret: [secret] })).toThrow(TypeError);
  });

  it.each([undefined, null, 7])('is not taken by the secret %j, and the error says what one is', (secret) => {
    // As JavaScript calls it.
    for (const given of [secret, [secret]])
      expect(() => verifyWebhook(signed(key), { secret: given as never })).toThrow(
        'secret must be that of GET /webhooks/keys, with whsec_',
      );
  });

  it('is not taken by a list with a secret that is none, though another one is right', () => {
    const secret = `whsec_${key.toString('base64')}`;
    // As JavaScript calls it.
    for (const list of [
      [secret, undefined],
      [undefined, secret],
    ])
      expect(() => verifyWebhook(signed(key), { secret: list as never })).toThrow(TypeError);
  });

  it('is not taken without anything to check it by', () => {
    for (const trusted of [{ secret: [] }, { publicKey: [] }])
      expect(() => verifyWebhook(signed(key), trusted)).toThrow(TypeError);
  });
});
