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

/** `at` is the time of sending. */
export function signedCall(message: Message, { signing, next }: CurrentKeys, at: Date): SignedCall {
  const { id, type, redelivery } = message;
  const head = JSON.stringify({ id, type, timestamp: at.toISOString() });
  const body = Buffer.from(`${head.slice(0, -1)},"data":${message.body}}`);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const keys = next ? [signing, next.key] : [signing];
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Daybook',
    'x-service-signature': ecdsa(signing, body),
    ...(next && { 'x-service-signature-next': ecdsa(next.key, body) }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(({ secret }) => signatureOf(secret, { id, sentAt: at }, body)).join(' '),
    ...(redelivery && { 'webhook-redelivery': 'true' }),
  };
  return { headers, body };
}

/** ECDSA P-256 over SHA-256 of the body: DER in base64. */
const ecdsa = ({ privateKey }: WebhookKey, body: Buffer): string =>
  sign('sha256', body, privateKey).toString('base64');
