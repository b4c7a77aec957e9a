/** Tells webhooks of the service from everything else that arrives at a public address. For Node. */
import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { parseJson } from './json.ts';
import type { Input, Schemas } from './operations.ts';

type Query = NonNullable<Input<'sandboxListWebhooks'>['query']>;

/** Those of docs/reference/webhooks.md. There may be types that this version does not know. */
export type WebhookType = NonNullable<Query['type']>;

/** By the type, or by the part of it before the point. */
type Data = {
  readonly TEST: Readonly<Record<string, never>>;
  readonly OUTGOING_PAYMENT: Schemas['Transaction'];
  readonly INCOMING_PAYMENT: Schemas['Transaction'];
  readonly CUSTOMER: Schemas['Customer'];
  readonly INTERNAL_ACCOUNT: Schemas['InternalAccount'];
  readonly EXTERNAL_ACCOUNT: Schemas['ExternalAccount'];
  readonly VERIFICATION: Schemas['Verification'];
  readonly INVITATION_CLAIMED: Schemas['Invitation'];
  readonly AGENT_ACTION: Schemas['AgentAction'];
};

/** A payment that waits for the platform, with what its sender's side asks about the receiver. */
type Asking = Schemas['Transaction'] & {
  readonly requestedReceiverCustomerInfoFields: readonly {
    readonly name: string;
    readonly mandatory: boolean;
  }[];
};

type SubjectOf<Type extends WebhookType> = Type extends `${infer Subject}.${string}` ? Subject : Type;

/** What a webhook of a type is about: the resource, as its GET answered right after the event. */
export type WebhookData<Type extends WebhookType> = Type extends 'INCOMING_PAYMENT.PENDING'
  ? Asking
  : Data[SubjectOf<Type> & keyof Data];

export type WebhookEvent = {
  [Type in WebhookType]: {
    /** The same at every attempt: keep it, to know what has been seen. */
    readonly id: string;
    readonly type: Type;
    /** When this attempt was sent, by the platform's clock, which the sandbox can move. */
    readonly timestamp: string;
    readonly data: WebhookData<Type>;
  };
}[WebhookType];

type HeaderMap = { readonly [name: string]: string | readonly string[] | undefined };

export type Received = {
  /** The bytes as they came, before any JSON parser has seen them. */
  readonly body: Uint8Array | string;
  /** Of `node:http`, of a `Request`, or a map of them, with names in any case. */
  readonly headers: HeaderMap | Headers;
};

export type Trusted =
  | { /** `webhookPublicKey` of `GET /config`, PEM. */ readonly publicKey: string | readonly string[] }
  | { /** `secret` of `GET /webhooks/keys`, with `whsec_`. */ readonly secret: string | readonly string[] };

/** The webhook is not from the service, or not from now. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * The event of a webhook, once its signature has been checked: that with the public key, or that of Standard Webhooks.
 * While keys are rotated both generations may be given. Throws `WebhookVerificationError`, also for what was sent more
 * than `toleranceSeconds` ago or ahead (300 unless said otherwise), by the time that is signed: `webhook-timestamp`, or
 * `timestamp` of the body where only that is; and `TypeError` where a secret or key is none, or none is given.
 */
export function verifyWebhook(
  { body, headers }: Received,
  trusted: Trusted,
  toleranceSeconds = 300,
): WebhookEvent {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
  const read = readerOf(headers);
  const keys = 'secret' in trusted ? [trusted.secret].flat().map(keyOf) : [];
  const publicKeys = 'publicKey' in trusted ? [trusted.publicKey].flat().map(publicKeyOf) : [];
  if (('secret' in trusted ? keys : publicKeys).length === 0)
    throw new TypeError('no secret or public key is given');
  const isGenuine =
    'secret' in trusted
      ? keys.some((key) => hasHmac(bytes, read, key))
      : hasEcdsa(bytes, bodySignatures(read), publicKeys);
  if (!isGenuine) throw new WebhookVerificationError('no signature of the webhook is right');
  const event = parseJson(bytes.toString('utf8')) as WebhookEvent;
  const isDated = 'secret' in trusted || isSignedWithTime(bytes, read, publicKeys);
  const sentMs = isDated ? Number(read('webhook-timestamp')) * 1_000 : Date.parse(event.timestamp);
  // A time that cannot be read is near no other.
  if (!(Math.abs(Date.now() - sentMs) <= toleranceSeconds * 1_000))
    throw new WebhookVerificationError('the webhook was not sent within the tolerance from now');
  return event;
}

type Read = (name: string) => string;

/** Shorter than any secret that the service makes: with an empty one everybody could sign. */
const secretBytesMin = 16;

/** Throws `TypeError` for what is no secret, such as a variable that is not set. */
function keyOf(secret: unknown): Buffer {
  const key = Buffer.from(typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '', 'base64');
  if (key.length < secretBytesMin)
    throw new TypeError('secret must be that of GET /webhooks/keys, with whsec_');
  return key;
}

function readerOf(headers: Received['headers']): Read {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const values = new Map<string, unknown>(entries.map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = values.get(name);
    return typeof value === 'string' ? value : '';
  };
}

const bodySignatures = (read: Read) => [read('x-service-signature'), read('x-service-signature-next')];

/** Throws `TypeError` for what is no key: the lines of a PEM that a variable has lost, for example. */
function publicKeyOf(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw new TypeError('publicKey must be webhookPublicKey of GET /config, with its lines', { cause });
  }
}

const hasEcdsa = (bytes: Buffer, signatures: readonly string[], publicKeys: readonly KeyObject[]): boolean =>
  publicKeys.some((publicKey) =>
    signatures.some((one) => one !== '' && verify('sha256', bytes, publicKey, Buffer.from(one, 'base64'))),
  );

/** Where the clock of the platform was moved, a signature covers the time of sending that the header tells. */
function isSignedWithTime(bytes: Buffer, read: Read, publicKeys: readonly KeyObject[]): boolean {
  const dated = Buffer.concat([Buffer.from(`${read('webhook-id')}.${read('webhook-timestamp')}.`), bytes]);
  return hasEcdsa(dated, read('x-service-signature-sent').split(' '), publicKeys);
}

function hasHmac(bytes: Buffer, read: Read, key: Buffer): boolean {
  const content = `${read('webhook-id')}.${read('webhook-timestamp')}.`;
  const expected = createHmac('sha256', key).update(content).update(bytes).digest();
  return read('webhook-signature')
    .split(' ')
    .some((one) => {
      const given = Buffer.from(one.replace('v1,', ''), 'base64');
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}
