import { execFileSync } from 'node:child_process';
import { createHmac, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/kernel/ids.ts';
import { signedCall } from '../../../src/workers/webhooks/envelope.ts';
import type { WebhookKey } from '../../../src/workers/webhooks/keys.ts';
import { testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

function key(n: number): WebhookKey {
  const { publicKey: pair, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicKey = pair.export({ type: 'spki', format: 'pem' }).toString();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { id: idOf('WebhookKey', uuidNumber(n)), createdAt: testStart, publicKey, privateKey, secret };
}
const [older, newer] = [key(1), key(2)];
const message = { id: idOf('Webhook', uuidNumber(9)), type: 'TEST', body: '{"amount":9007199254740993}' };
const call = signedCall(message, { signing: older }, testStart);
const rotating = signedCall(message, { signing: older, next: { key: newer, until: testStart } }, testStart);

/** What `openssl dgst -verify` says. */
function openssl(publicKey: string, body: Buffer, signature: string | undefined): string {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-openssl-'));
  try {
    writeFileSync(join(directory, 'key.pem'), publicKey);
    writeFileSync(join(directory, 'body'), body);
    writeFileSync(join(directory, 'signature'), Buffer.from(signature ?? '', 'base64'));
    const args = ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature', 'body'];
    return execFileSync('openssl', args, { cwd: directory, encoding: 'utf8' }).trim();
  } catch {
    return 'not verified';
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const hmac = ({ secret }: WebhookKey) => {
  const content = `${message.id}.${Math.floor(testStart.getTime() / 1000)}.${call.body}`;
  return `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(content)
    .digest('base64')}`;
};

describe('a webhook on the wire', () => {
  it('is the envelope, with every digit of its data', () => {
    expect(call.body.toString()).toBe(
      `{"id":"${message.id}","type":"TEST","timestamp":"2026-11-02T09:00:00.000Z","data":{"amount":9007199254740993}}`,
    );
  });

  it('has a signature that openssl verifies, and not for another body', () => {
    const signature = call.headers['x-service-signature'];
    expect(openssl(older.publicKey, call.body, signature)).toBe('Verified OK');
    expect(openssl(older.publicKey, Buffer.from('{}'), signature)).toBe('not verified');
    expect(openssl(newer.publicKey, call.body, signature)).toBe('not verified');
  });

  it('has the signature of Standard Webhooks', () => {
    expect(call.headers['webhook-signature']).toBe(hmac(older));
    expect(call.headers['webhook-timestamp']).toBe('1793610000');
    expect(call.headers['x-service-signature-next']).toBeUndefined();
  });

  it('carries the signatures of both keys during a rotation', () => {
    const { headers, body } = rotating;
    const signed = (text = '') => Buffer.from(text, 'base64');
    expect(verify('sha256', body, older.publicKey, signed(headers['x-service-signature']))).toBe(true);
    expect(verify('sha256', body, newer.publicKey, signed(headers['x-service-signature-next']))).toBe(true);
    expect(headers['webhook-signature']).toBe(`${hmac(older)} ${hmac(newer)}`);
  });

  it('says when it is a redelivery', () => {
    expect(call.headers['webhook-redelivery']).toBeUndefined();
    const again = signedCall({ ...message, redelivery: true }, { signing: older }, testStart);
    expect([again.headers['webhook-redelivery'], again.body]).toEqual(['true', call.body]);
  });
});

describe('the public package standardwebhooks', () => {
  // It refuses what is older than five minutes.
  const now = new Date();
  const { body, headers } = signedCall(message, { signing: older, next: { key: newer, until: now } }, now);
  const text = body.toString();

  it.each([
    ['older', older],
    ['newer', newer],
  ])('verifies a call with the %s secret while keys rotate', (_which, { secret }) => {
    expect(new Webhook(secret).verify(text, headers)).toMatchObject({ id: message.id, type: 'TEST' });
  });

  it('refuses another body, another secret and an old call', () => {
    expect(() => new Webhook(older.secret).verify(`${text} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(key(3).secret).verify(text, headers)).toThrow('No matching signature');
    expect(() => new Webhook(older.secret).verify(call.body.toString(), call.headers)).toThrow('too');
  });
});
