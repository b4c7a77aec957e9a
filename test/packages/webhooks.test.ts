/** Which times `verifyWebhook` of @daybook/client believes. */
import { generateKeyPairSync } from 'node:crypto';
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@daybook/client/webhooks';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/kernel/ids.ts';
import { signedCall } from '../../src/workers/webhooks/envelope.ts';

const keyPair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { pem, key: { privateKey, publicKey: pem, secret: `whsec_${Buffer.from(pem).toString('base64')}` } };
};
const { pem: publicKey, key: signing } = keyPair();
const { secret } = signing;
const message = {
  id: idOf('Webhook', '01a1f879-31a0-7000-8000-000000000000'),
  type: 'CUSTOMER.KYC_APPROVED',
  body: '{}',
};
const minutes = (n: number) => new Date(Date.now() + n * 60_000);
const days = (n: number) => minutes(n * 24 * 60);
const sent = (at: Date, sentAt?: Date, next?: ReturnType<typeof keyPair>) =>
  signedCall(
    message,
    { signing, ...(next && { next: { key: next.key, until: days(1) } }) } as never,
    at,
    sentAt,
  );
const by = [
  ['the public key', { publicKey }],
  ['the secret', { secret }],
] as const;

describe.each(by)('a webhook, verified by %s', (_what, trusted) => {
  it.each([
    ['now', minutes(0), undefined],
    ['now, on a platform whose clock is two years ahead', days(730), minutes(0)],
    ['now, on a platform whose clock is half a minute ahead', minutes(0.5), minutes(0)],
    ['now, on a platform whose clock is a week behind', days(-7), minutes(0)],
  ])('is believed when it was sent %s', (_when, at, sentAt) => {
    expect(verifyWebhook(sent(at, sentAt), trusted).type).toBe(message.type);
  });

  it.each([
    ['six minutes ago', minutes(-6), undefined],
    ['six minutes ago, on a platform whose clock shows now', minutes(0), minutes(-6)],
    ['an hour ahead', minutes(60), undefined],
  ])('is refused when it was sent %s', (_when, at, sentAt) => {
    expect(() => verifyWebhook(sent(at, sentAt), trusted)).toThrow(WebhookVerificationError);
  });

  it('may have the names of its headers in any case', () => {
    const { body, headers } = sent(minutes(0));
    const shouted = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    expect(verifyWebhook({ body, headers: Object.fromEntries(shouted) }, trusted).type).toBe(message.type);
  });

  it('that somebody has kept is not made new by another time in its header', () => {
    for (const old of [sent(minutes(-60)), sent(days(730), minutes(-60))]) {
      const headers = { ...old.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
      expect(() => verifyWebhook({ ...old, headers }, trusted)).toThrow(WebhookVerificationError);
    }
  });
});

/** What a platform reads of what it is told, as TypeScript has it. */
function subjectOf(event: WebhookEvent): string | undefined {
  switch (event.type) {
    case 'TEST':
      return undefined;
    case 'INVITATION_CLAIMED':
      return event.data.inviteeUma;
    case 'INCOMING_PAYMENT.PENDING':
      return event.data.requestedReceiverCustomerInfoFields.map(({ name }) => name).join();
    case 'OUTGOING_PAYMENT.COMPLETED':
      return event.data.settledAt;
    // @ts-expect-error there is no such type
    case 'OUTGOING_PAYMENT.COMPLETE':
      return '';
    default:
      return 'id' in event.data ? event.data.id : undefined;
  }
}

describe('a webhook has the data of its type', () => {
  it.each([
    ['TEST', {}, undefined],
    ['INVITATION_CLAIMED', { inviteeUma: '$grace@daybook.test' }, '$grace@daybook.test'],
    [
      'INCOMING_PAYMENT.PENDING',
      { requestedReceiverCustomerInfoFields: [{ name: 'FULL_NAME', mandatory: true }] },
      'FULL_NAME',
    ],
    ['OUTGOING_PAYMENT.COMPLETED', { settledAt: '2026-11-02T09:00:00.000Z' }, '2026-11-02T09:00:00.000Z'],
    ['CUSTOMER.KYC_APPROVED', { id: 'Customer:1' }, 'Customer:1'],
  ])('%s', (type, data, expected) => {
    const told = signedCall(
      { ...message, type, body: JSON.stringify(data) },
      { signing } as never,
      minutes(0),
    );
    expect(subjectOf(verifyWebhook(told, { publicKey }))).toBe(expected);
  });
});

it.each([undefined, '', publicKey.replaceAll('\n', '\\n')])(
  'a public key that is none is told: %j',
  (none) => {
    const told = sent(minutes(0));
    for (const headers of [told.headers, {}])
      expect(() => verifyWebhook({ ...told, headers }, { publicKey: none as never })).toThrow(
        /^publicKey must be webhookPublicKey/,
      );
  },
);

describe('during a rotation', () => {
  it('the newer public key tells the time too', () => {
    const next = keyPair();
    const received = sent(days(30), minutes(0), next);
    for (const pem of [publicKey, next.pem])
      expect(verifyWebhook(received, { publicKey: pem }).type).toBe(message.type);
    expect(() => verifyWebhook(received, { publicKey: keyPair().pem })).toThrow(WebhookVerificationError);
  });
});
