/** A WebAuthn authenticator in software: ES256, attestation "none". It can also do what a real one never would. */
import { createHash, randomBytes } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import type { Assertion, Attestation } from '../../../src/use-cases/wallets/crypto/passkeys.ts';

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const uint16 = (n: number) => Buffer.from([n >> 8, n & 255]);
const uint32 = (n: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(n);
  return bytes;
};

/** As much CBOR as an attestation needs: integers, bytes, text, and maps as pairs in the order given. */
export type Cbor = number | string | Uint8Array | readonly (readonly [Cbor, Cbor])[];
const head = (major: number, n: number) => {
  if (n < 24) return Buffer.from([(major << 5) | n]);
  return n < 256 ? Buffer.from([(major << 5) | 24, n]) : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
};
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.length), ...value.flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

type Flags = { readonly up: boolean; readonly uv: boolean; readonly be: boolean; readonly bs: boolean };
const flagsOf = ({ up, uv, be, bs }: Flags, attested: boolean) =>
  (up ? 1 : 0) | (uv ? 4 : 0) | (be ? 8 : 0) | (bs ? 16 : 0) | (attested ? 64 : 0);

/** What an answer says instead of the truth. */
export type Deviation = {
  readonly type?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly flags?: Partial<Flags>;
  readonly counter?: number;
  readonly secretKey?: Uint8Array;
  readonly extra?: object;
  /** An attestation statement in place of none. */
  readonly statement?: readonly [fmt: string, attStmt: Cbor];
  /** A COSE key in place of that of the authenticator. */
  readonly publicKey?: Cbor;
};

export type SoftwareAuthenticator = {
  readonly credentialId: string;
  readonly create: (challenge: string, deviation?: Deviation) => Attestation;
  readonly get: (challenge: string, deviation?: Deviation) => Assertion;
};

type Options = {
  readonly rpId: string;
  readonly origin: string;
  readonly secretKey?: Uint8Array;
  /** 0 imitates a synced passkey, whose counter never moves. */
  readonly step?: number;
};

/** `challenge` is the text that the client data will carry. */
export function softwareAuthenticator({ rpId, origin, step = 1, ...given }: Options): SoftwareAuthenticator {
  const secretKey = given.secretKey ?? p256.utils.randomSecretKey();
  const id = randomBytes(32);
  const honest: Flags = { up: true, uv: true, be: true, bs: true };
  let counter = 0;
  const clientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: false,
        ...deviation.extra,
      }),
    );
  const coseKey = () => {
    const point = p256.getPublicKey(secretKey, false);
    return cbor([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point.slice(1, 33)],
      [-3, point.slice(33)],
    ]);
  };
  const authData = (deviation: Deviation, attested: boolean) =>
    Buffer.concat([
      sha256(deviation.rpId ?? rpId),
      Buffer.from([flagsOf({ ...honest, ...deviation.flags }, attested)]),
      uint32(deviation.counter ?? counter),
    ]);

  return {
    credentialId: base64url(id),
    create(challenge, deviation = {}) {
      const attested = [authData(deviation, true), Buffer.alloc(16), uint16(id.length), id];
      const key = deviation.publicKey === undefined ? coseKey() : cbor(deviation.publicKey);
      const attestation = cbor([
        ['fmt', deviation.statement?.[0] ?? 'none'],
        ['attStmt', deviation.statement?.[1] ?? []],
        ['authData', Buffer.concat([...attested, key])],
      ]);
      return {
        credentialId: base64url(id),
        clientDataJson: base64url(clientData('webauthn.create', challenge, deviation)),
        attestationObject: base64url(attestation),
      };
    },
    get(challenge, deviation = {}) {
      counter += step;
      const client = clientData('webauthn.get', challenge, deviation);
      const data = authData(deviation, false);
      const key = deviation.secretKey ?? secretKey;
      const signed = p256.sign(Buffer.concat([data, sha256(client)]), key, { format: 'der', lowS: false });
      return {
        credentialId: base64url(id),
        clientDataJson: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signed),
        userHandle: base64url(randomBytes(16)),
      };
    },
  };
}
