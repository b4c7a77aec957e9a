import { hash, hkdfSync, randomBytes, randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { z } from 'zod';

/** The types of identifiers (docs/reference/streams-and-ids.md). */
export type IdType =
  | 'Customer'
  | 'BeneficialOwner'
  | 'Document'
  | 'Verification'
  | 'Quote'
  | 'Transaction'
  | 'InternalAccount'
  | 'ExternalAccount'
  | 'Platform'
  | 'Token'
  | 'Lookup'
  | 'Invitation'
  | 'PlatformConfig'
  | 'Agent'
  | 'AgentAction'
  | 'Webhook'
  | 'WebhookKey'
  | 'AuthMethod'
  | 'Session'
  | 'Request'
  | 'Fault'
  | 'Snapshot';
export type Id<T extends IdType> = `${T}:${string}`;

export type CustomerId = Id<'Customer'>;
export type BeneficialOwnerId = Id<'BeneficialOwner'>;
export type DocumentId = Id<'Document'>;
export type VerificationId = Id<'Verification'>;
export type QuoteId = Id<'Quote'>;
export type TransactionId = Id<'Transaction'>;
export type InternalAccountId = Id<'InternalAccount'>;
export type ExternalAccountId = Id<'ExternalAccount'>;
export type InvitationId = Id<'Invitation'>;
export type AgentId = Id<'Agent'>;
export type AgentActionId = Id<'AgentAction'>;
export type PlatformId = Id<'Platform'>;
export type TokenId = Id<'Token'>;
export type WebhookId = Id<'Webhook'>;
export type WebhookKeyId = Id<'WebhookKey'>;
export type AuthMethodId = Id<'AuthMethod'>;
export type SessionId = Id<'Session'>;
export type RequestId = Id<'Request'>;
export type SnapshotId = Id<'Snapshot'>;

/** Where new identifiers come from: uuid version 7, so that they sort by time of creation. */
export type Ids = {
  uuid(): string;
  /** Where identifiers follow from a seed (`seededIds`); absent where they are drawn. */
  readonly seeded?: Seeded;
};

/** What is counted: each kind by itself, so that one cannot move the counts of another. */
export type Counted = 'request' | 'anybody' | 'any';

export type Seeded = {
  /** Follows from the seed alone. */
  readonly mark: string;
  /** The same parts give the same uuid, in this run of the service. */
  readonly named: (...parts: readonly string[]) => string;
  /** That of the first, second and further time that the parts are asked for. */
  readonly next: (kind: Counted, ...parts: readonly string[]) => string;
};

export const systemIds: Ids = { uuid: sortingUuids() };

/** Random bytes are drawn for many identifiers at once; those of one millisecond count up. */
function sortingUuids(): Ids['uuid'] {
  const drawn = new Uint8Array(4_096);
  const each = Array.from({ length: drawn.length / 16 }, (_, n) => drawn.subarray(n * 16, n * 16 + 16));
  let used = each.length;
  let [msecs, seq] = [0, 0];
  const draw = (): Uint8Array => {
    if (used === each.length) {
      randomFillSync(drawn);
      used = 0;
    }
    return each[used++] as Uint8Array;
  };
  return () => {
    const random = draw();
    const now = Date.now();
    if (now > msecs) {
      msecs = now;
      // Room to count up.
      seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
    } else seq += 1;
    return v7({ random, msecs, seq });
  };
}

/** So many counts are kept of each kind; what shares one is numbered together. */
const seededCounts = 65_536;

/**
 * Identifiers that follow from the seed, for the sandbox (docs/decisions/0069-the-same-calls-give-the-same.md). `run` is
 * one that no other run of the service on the same log has had: a count that begins anew gives nothing twice.
 */
export function seededIds(seed: string, run: string): Ids & { readonly seeded: Seeded } {
  const counts = new Map<Counted, Uint32Array>();
  const named: Seeded['named'] = (...parts) => derivedUuid('seeded', seed, run, ...parts);
  const next: Seeded['next'] = (kind, ...parts) => {
    const ofKind = counts.get(kind) ?? new Uint32Array(seededCounts);
    counts.set(kind, ofKind);
    const place = Number.parseInt(derivedUuid(kind, ...parts).slice(0, 4), 16);
    const n = ofKind[place] ?? 0;
    ofKind[place] = n + 1;
    return named('next', kind, ...parts, String(n));
  };
  const mark = derivedUuid('seed', seed);
  return { uuid: () => next('any'), seeded: { mark, named, next } };
}

/** What a request makes: it follows from the key where it has one, and else from the request where there is a seed. */
export const uuidsFor =
  ({ uuid, seeded }: Ids, scope: string | undefined, requestId: string) =>
  (what: string): string =>
    scope ? derivedUuid(scope, what) : (seeded?.named(requestId, what) ?? uuid());

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The same, for a place in a longer pattern. */
export const anyUuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

export const idOf = <T extends IdType>(type: T, uuid: string): Id<T> => `${type}:${uuid}`;

/** The uuid inside an identifier: `Customer:0199…` gives `0199…`. */
export const uuidOf = (id: string): string => id.slice(id.indexOf(':') + 1);

export const isId = <T extends IdType>(type: T, value: string): value is Id<T> =>
  value.startsWith(`${type}:`) && uuidPattern.test(uuidOf(value));

/** A schema for one type of identifier. */
export const idSchema = <T extends IdType>(type: T) =>
  z
    .string()
    .regex(new RegExp(`^${type}:${uuidPattern.source.slice(1)}`), `must be an id of the form ${type}:<uuid>`)
    .transform((value) => value as Id<T>);

/** A schema for an identifier inside an event: the same text either way. */
export const idField = <T extends IdType>(type: T) =>
  z
    .custom<Id<T>>((value) => typeof value === 'string' && isId(type, value), `not a ${type} id`)
    .meta({
      type: 'string',
      pattern: `^${type}:${uuidPattern.source.slice(1)}`,
    });

/**
 * The uuid (version 8) that follows from `parts`: the same parts give the same uuid on every machine, so a
 * repeated command meets the stream that its first run created.
 */
export function derivedUuid(...parts: readonly string[]): string {
  const digest = hash('sha256', JSON.stringify(parts), 'hex');
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(16), 16) & 3);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/** `length` bytes that follow from the key (HKDF with SHA-256) and differ from label to label. */
export const derivedBytes = (key: string, label: string, length: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, '', label, length));

/** Capital letters and digits without those that look alike: no I, O, 0, 1. */
export const legibleCharacters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** `length` characters, each drawn from `alphabet` as likely as any other. */
export const randomText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** `length` characters of an alphabet of 32 that follow from the parts. */
export const derivedText = (length: number, alphabet: string, ...parts: readonly string[]): string =>
  [...derivedBytes(JSON.stringify(parts), 'text', length)]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('');

/** Somewhere from 0 to 1, and never 1. */
export const randomShare = (): number => randomInt(2 ** 32) / 2 ** 32;

/** A 256-bit secret as base64url text, for API tokens. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
