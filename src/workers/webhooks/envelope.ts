/** A webhook as it goes over the wire: body and signatures, with the headers of Standard Webhooks beside our own. */
import { sign } from 'node:crypto';
import { signatureOf } from '../../infrastructure/secrets/signed-message.ts';
import type { WebhookId } from '../../kernel/ids.ts';
import type { CurrentKeys, WebhookKey } from './keys.ts';

export type Message = {
  readonly id: WebhookId;
  readonly type: string;
  /** The text of `data`. */
  readonly body: string;
  readonly redelivery?: boolean;
};

export type SignedCall = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

/** Nearer than this, the times of two clocks are one. */
const sameTimeMs = 1_000;

/**
 * `at` is the time of sending by the platform's clock, which the body tells; `sentAt` that of the installation's, which
 * receivers compare with their own. The HMAC covers both; where the two differ, so does an ECDSA signature of its own.
 */
export function signedCall(
  message: Message,
  { signing, next }: CurrentKeys,
  at: Date,
  sentAt: Date = at,
): SignedCall {
  const { id, type, redelivery } = message;
  const head = JSON.stringify({ id, type, timestamp: at.toISOString() });
  const body = Buffer.from(`${head.slice(0, -1)},"data":${message.body}}`);
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const keys = next ? [signing, next.key] : [signing];
  const isMoved = Math.abs(at.getTime() - sentAt.getTime()) >= sameTimeMs;
  const dated = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Daybook',
    'x-service-signature': ecdsa(signing, body),
    ...(next && { 'x-service-signature-next': ecdsa(next.key, body) }),
    ...(isMoved && { 'x-service-signature-sent': keys.map((key) => ecdsa(key, dated)).join(' ') }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(({ secret }) => signatureOf(secret, { id, sentAt }, body)).join(' '),
    ...(redelivery && { 'webhook-redelivery': 'true' }),
  };
  return { headers, body };
}

/** ECDSA P-256 over SHA-256: DER in base64. */
const ecdsa = ({ privateKey }: WebhookKey, content: Buffer): string =>
  sign('sha256', content, privateKey).toString('base64');
