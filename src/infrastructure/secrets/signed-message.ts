/** Messages that both ends sign with one secret, as Standard Webhooks has it: HMAC-SHA256 over id, time and body. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A message is taken this long before and after the time that it says. */
const toleranceMs = 300_000;

/** What follows is base64. */
export const secretPrefix = 'whsec_';

export type MessageHead = { readonly id: string; readonly sentAt: Date };
type Headers = Readonly<Record<string, string | undefined>>;

const secondsOf = (at: Date): string => String(Math.floor(at.getTime() / 1000));

const macOf = (secret: string, id: string, timestamp: string, body: Uint8Array): Buffer =>
  createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest();

/** One signature of the header `webhook-signature`. */
export const signatureOf = (secret: string, { id, sentAt }: MessageHead, body: Uint8Array): string =>
  `v1,${macOf(secret, id, secondsOf(sentAt), body).toString('base64')}`;

export const signedHeaders = (
  secret: string,
  head: MessageHead,
  body: Uint8Array,
): Readonly<Record<string, string>> => ({
  'webhook-id': head.id,
  'webhook-timestamp': secondsOf(head.sentAt),
  'webhook-signature': signatureOf(secret, head, body),
});

/** Whether the other end has sent this, and lately. */
export function isSigned(secret: string, headers: Headers, body: Uint8Array, now: Date): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > toleranceMs) return false;
  const expected = macOf(secret, id, timestamp, body);
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.startsWith('v1,') ? one.slice(3) : '', 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
