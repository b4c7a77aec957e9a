import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { describe, expect, it } from 'vitest';
import { PasskeyRefused } from '../../../../src/use-cases/wallets/crypto/passkey-responses.ts';
import {
  type PasskeyRules,
  verifyAssertion,
  verifyRegistration,
} from '../../../../src/use-cases/wallets/crypto/passkeys.ts';
import {
  type Cbor,
  type Deviation,
  softwareAuthenticator,
} from '../../../support/wallets/software-authenticator.ts';
import vectors from './vectors.json' with { type: 'json' };

const pinned: PasskeyRules = { origins: [], rpId: undefined, requireUserVerification: true };
const site = { rpId: 'example.test', origin: 'https://wallet.example.test' };
const newChallenge = () => randomBytes(32).toString('base64url');

async function registered(options: { step?: number } = {}, rules = pinned) {
  const authenticator = softwareAuthenticator({ ...site, ...options });
  const challenge = newChallenge();
  const passkey = await verifyRegistration(rules, challenge, authenticator.create(challenge));
  return { authenticator, passkey: { ...passkey, transports: ['internal', 'unknown'] } };
}

describe('the published passkey', () => {
  const { registration, authentication, stored } = vectors.passkey;
  it('registers, with the stored key and counter', async () => {
    const passkey = await verifyRegistration(pinned, registration.challenge, registration.attestation);
    expect(passkey).toEqual({
      webauthnId: stored.credentialId,
      publicKey: stored.cosePublicKey,
      counter: stored.counter,
      rpId: vectors.passkey.rpId,
      origin: vectors.passkey.origin,
    });
  });

  it('signs in, with the new counter', async () => {
    const passkey = {
      webauthnId: stored.credentialId,
      publicKey: stored.cosePublicKey,
      counter: stored.counter,
      rpId: vectors.passkey.rpId,
      origin: vectors.passkey.origin,
      transports: [],
    };
    const { challenge, assertion, newCounter } = authentication;
    expect(await verifyAssertion(pinned, passkey, challenge, assertion)).toBe(newCounter);
  });
});

describe('the assertion of the public example', () => {
  const passkey = {
    webauthnId: 'KEbWNCc7NgaYnUyrNeFGX9_3Y-8oJ3KwzjnaiD1d1LVTxR7v3CaKfCz2Vy_g_MHSh7yJ8yL0Pxg6jo_o0hYiew',
    publicKey:
      'pQECAyYgASFYIIheFp-u6GvFT2LNGovf3ZrT0iFVBsA_76rRysxRG9A1Ilgg8WGeA6hPmnab0HAViUYVRkwTNcN77QBf_RR0dv3lIvQ',
    counter: 143,
    rpId: 'dev.dontneeda.pw',
    origin: 'https://dev.dontneeda.pw',
    transports: [],
  };
  const assertion = {
    credentialId: passkey.webauthnId,
    clientDataJson:
      'eyJjaGFsbGVuZ2UiOiJkRzkwWVd4c2VWVnVhWEYxWlZaaGJIVmxSWFpsY25sVWFXMWwiLCJjbGllbnRFeHRlbnNpb25zIjp7fSwiaGFzaEFsZ29yaXRobSI6IlNIQS0yNTYiLCJvcmlnaW4iOiJodHRwczovL2Rldi5kb250bmVlZGEucHciLCJ0eXBlIjoid2ViYXV0aG4uZ2V0In0=',
    authenticatorData: 'PdxHEOnAiLIp26idVjIguzn3Ipr_RlsKZWsa-5qK-KABAAAAkA==',
    signature:
      'MEUCIQDYXBOpCWSWq2Ll4558GJKD2RoWg958lvJSB_GdeokxogIgWuEVQ7ee6AswQY0OsuQ6y8Ks6jhd45bDx92wjXKs900=',
  };
  const challenge = 'totallyUniqueValueEveryTime';

  it('has no user verification, and passes where none is demanded', async () => {
    await expect(verifyAssertion(pinned, passkey, challenge, assertion)).rejects.toThrow(PasskeyRefused);
    const lenient = { ...pinned, requireUserVerification: false };
    expect(await verifyAssertion(lenient, passkey, challenge, assertion)).toBe(144);
  });
});

describe('a registration', () => {
  it('pins the origin and the relying party where none is configured', async () => {
    const { passkey } = await registered();
    expect(passkey).toMatchObject(site);
  });

  it('takes padded base64url and a challenge that does not decode', async () => {
    const authenticator = softwareAuthenticator(site);
    const challenge = 'x'.repeat(45);
    const made = authenticator.create(challenge);
    const padded = {
      ...made,
      clientDataJson: `${made.clientDataJson}==`,
      credentialId: `${made.credentialId}=`,
    };
    const { webauthnId } = await verifyRegistration(pinned, challenge, padded);
    expect(webauthnId).toBe(authenticator.credentialId);
  });

  it.each<[string, Deviation]>([
    ['of another relying party', { rpId: 'other.test' }],
    ['of a top-level domain', { rpId: 'test' }],
    ['of another type', { type: 'webauthn.get' }],
    ['without a user', { flags: { up: false } }],
    ['without verification of the user', { flags: { uv: false } }],
    ['that is backed up and cannot be', { flags: { be: false, bs: true } }],
    ['with an origin that is none', { origin: 'nowhere' }],
  ])('%s is refused', async (_what, deviation) => {
    const challenge = newChallenge();
    const made = softwareAuthenticator(site).create(challenge, deviation);
    await expect(verifyRegistration(pinned, challenge, made)).rejects.toThrow(PasskeyRefused);
  });

  it.each<[string, (made: ReturnType<ReturnType<typeof softwareAuthenticator>['create']>) => object]>([
    ['under another credential id', () => ({ credentialId: newChallenge() })],
    ['whose client data is not JSON', () => ({ clientDataJson: 'AAAA' })],
    ['whose client data is empty', () => ({ clientDataJson: '' })],
    [
      'whose attestation is cut short',
      (made) => ({ attestationObject: made.attestationObject.slice(0, 80) }),
    ],
    ['whose attestation is noise', () => ({ attestationObject: newChallenge() })],
    ['whose attestation is empty', () => ({ attestationObject: '' })],
  ])('%s is refused', async (_what, change) => {
    const challenge = newChallenge();
    const made = softwareAuthenticator(site).create(challenge);
    const sent = { ...made, ...change(made) };
    await expect(verifyRegistration(pinned, challenge, sent)).rejects.toThrow(PasskeyRefused);
  });

  it.each(['android-key', 'packed', 'apple', 'android-safetynet', 'tpm', 'fido-u2f', 'unheard-of'])(
    'has its statement left alone, so that nothing that a certificate names is fetched: %s',
    async (fmt) => {
      const challenge = newChallenge();
      const statement = [
        fmt,
        [
          ['alg', -7],
          ['sig', new Uint8Array(8)],
          ['ver', 'x'],
        ],
      ] as const;
      const made = softwareAuthenticator(site).create(challenge, { statement });
      expect(await verifyRegistration(pinned, challenge, made)).toMatchObject(site);
    },
  );

  it('over another challenge is refused', async () => {
    const made = softwareAuthenticator(site).create(newChallenge());
    await expect(verifyRegistration(pinned, newChallenge(), made)).rejects.toThrow(PasskeyRefused);
  });

  it('is made by an app of Android where the relying party is configured', async () => {
    const app = { origin: `android:apk-key-hash:${'a'.repeat(43)}`, rpId: 'wallet.example.test' };
    const challenge = newChallenge();
    const made = softwareAuthenticator(app).create(challenge);
    for (const origins of [[], [app.origin, 'https://wallet.example.test']])
      expect(await verifyRegistration({ ...pinned, rpId: app.rpId, origins }, challenge, made)).toMatchObject(
        app,
      );
    await expect(verifyRegistration(pinned, challenge, made)).rejects.toThrow(PasskeyRefused);
  });

  it('is held to the configured origins and relying party', async () => {
    const rules = { ...pinned, origins: ['https://wallet.example.test'], rpId: 'wallet.example.test' };
    const challenge = newChallenge();
    const made = softwareAuthenticator(site).create(challenge);
    await expect(verifyRegistration(rules, challenge, made)).rejects.toThrow(PasskeyRefused);
    const elsewhere = { rpId: 'wallet.example.test', origin: 'https://evil.wallet.example.test' };
    const other = softwareAuthenticator(elsewhere).create(challenge);
    await expect(verifyRegistration(rules, challenge, other)).rejects.toThrow(PasskeyRefused);
    const right = softwareAuthenticator({ ...site, rpId: 'wallet.example.test' }).create(challenge);
    expect(await verifyRegistration(rules, challenge, right)).toMatchObject({ rpId: rules.rpId });
  });
});

type Jwk = { readonly [Field in 'x' | 'y' | 'n' | 'e']?: string };
const numbersOf = (jwk: Jwk) => (field: keyof Jwk) => Buffer.from(jwk[field] ?? '', 'base64url');
const onP256 = numbersOf(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
);
const onP384 = numbersOf(
  generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }),
);
const onEd25519 = numbersOf(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }));
const rsaOf = (modulusLength: number) =>
  numbersOf(generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' }));
const rsa = rsaOf(2048);

const members = (kty: number, alg: number, ...others: readonly Cbor[]): Cbor => [
  [1, kty],
  [3, alg],
  ...others.map((value, n): readonly [Cbor, Cbor] => [-1 - n, value]),
];
const ec = (alg: number, crv: number, ...point: readonly Cbor[]) => members(2, alg, crv, ...point);
const okp = (alg: number, crv: number, x: Cbor) => members(1, alg, crv, x);
const withRsa = (alg: number, n: Cbor, e: Cbor) => members(3, alg, n, e);
const noPoint = Buffer.alloc(32);
noPoint[0] = 2;

describe('the public key of a registration', () => {
  const register = (publicKey: Cbor) => {
    const challenge = newChallenge();
    const made = softwareAuthenticator(site).create(challenge, { publicKey });
    return verifyRegistration(pinned, challenge, made);
  };

  it.each([
    ['P-256 for ES256', ec(-7, 1, onP256('x'), onP256('y'))],
    ['Ed25519 for EdDSA', okp(-8, 6, onEd25519('x'))],
    ['RSA of 2048 bits for RS256', withRsa(-257, rsa('n'), rsa('e'))],
  ])('is taken: %s', async (_what, publicKey) => {
    expect(await register(publicKey)).toMatchObject(site);
  });

  it.each([
    ['RSA for ES256', withRsa(-7, rsa('n'), rsa('e'))],
    ['P-384 for ES256', ec(-7, 2, onP384('x'), onP384('y'))],
    ['half a point', ec(-7, 1, onP256('x'))],
    ['a point of three bytes', ec(-7, 1, Buffer.alloc(3, 1), onP256('y'))],
    ['a point off the curve', ec(-7, 1, onP256('y'), onP256('x'))],
    ['a point in words', ec(-7, 1, 'x', 'y')],
    ['P-256 for EdDSA', ec(-8, 1, onP256('x'), onP256('y'))],
    ['Ed25519 for ES256', okp(-7, 6, onEd25519('x'))],
    ['Ed25519 of two bytes', okp(-8, 6, Buffer.alloc(2, 1))],
    ['32 bytes that are no point of Ed25519', okp(-8, 6, noPoint)],
    ['a point of Ed25519 that anything is signed by', okp(-8, 6, Buffer.alloc(32))],
    ['another curve for EdDSA', okp(-8, 4, onEd25519('x'))],
    ['P-256 for RS256', ec(-257, 1, onP256('x'), onP256('y'))],
    ['RSA of one byte', withRsa(-257, Buffer.from([3]), rsa('e'))],
    ['RSA of 1024 bits', withRsa(-257, rsaOf(1024)('n'), rsa('e'))],
    ['RSA with a modulus beyond all measure', withRsa(-257, Buffer.alloc(2049, 255), rsa('e'))],
    ['RSA with an even modulus', withRsa(-257, Buffer.alloc(256, 2), rsa('e'))],
    ['RSA with the exponent 0', withRsa(-257, rsa('n'), Buffer.from([0]))],
    ['RSA with the exponent 1', withRsa(-257, rsa('n'), Buffer.from([1]))],
    ['RSA without a modulus', withRsa(-257, Buffer.alloc(0), rsa('e'))],
  ])('is refused: %s', async (_what, publicKey) => {
    await expect(register(publicKey)).rejects.toThrow(PasskeyRefused);
  });
});

describe('an assertion', () => {
  it('passes over the text of the challenge and over its bytes', async () => {
    const { authenticator, passkey } = await registered();
    const challenge = newChallenge();
    expect(await verifyAssertion(pinned, passkey, challenge, authenticator.get(challenge))).toBe(1);
    const asBytes = Buffer.from(challenge).toString('base64url');
    expect(await verifyAssertion(pinned, passkey, challenge, authenticator.get(asBytes))).toBe(2);
  });

  it('passes with a counter that stays zero', async () => {
    const { authenticator, passkey } = await registered({ step: 0 });
    const challenge = newChallenge();
    expect(await verifyAssertion(pinned, passkey, challenge, authenticator.get(challenge))).toBe(0);
  });

  it.each([undefined, null, ''])('passes with the user handle %j', async (userHandle) => {
    const { authenticator, passkey } = await registered();
    const challenge = newChallenge();
    const made = { ...authenticator.get(challenge), userHandle };
    expect(await verifyAssertion(pinned, passkey, challenge, made)).toBe(1);
  });

  it.each<[string, Deviation]>([
    ['at another origin', { origin: 'https://evil.example.test' }],
    ['for another relying party', { rpId: 'other.test' }],
    ['of another type', { type: 'webauthn.create' }],
    ['without a user', { flags: { up: false } }],
    ['without verification of the user', { flags: { uv: false } }],
    ['that is backed up and cannot be', { flags: { be: false, bs: true } }],
    ['by another key', { secretKey: p256.utils.randomSecretKey() }],
    ['embedded in a foreign page', { extra: { crossOrigin: true, topOrigin: 'https://evil.test' } }],
  ])('%s is refused', async (_what, deviation) => {
    const { authenticator, passkey } = await registered();
    const challenge = newChallenge();
    const made = authenticator.get(challenge, deviation);
    await expect(verifyAssertion(pinned, passkey, challenge, made)).rejects.toThrow(PasskeyRefused);
  });

  it.each([0, 4, 5])(
    'with the counter %i after 5 is told with it, for the wallet to refuse',
    async (counter) => {
      const { authenticator, passkey } = await registered();
      const challenge = newChallenge();
      const made = authenticator.get(challenge, { counter });
      const stored = { ...passkey, counter: 5 };
      expect(await verifyAssertion(pinned, stored, challenge, made)).toBe(counter);
    },
  );

  it.each([
    ['a foreign credential id', { credentialId: newChallenge() }],
    ['tampered client data', { clientDataJson: Buffer.from('{}').toString('base64url') }],
    ['no client data', { clientDataJson: '' }],
    ['authenticator data that is cut short', { authenticatorData: 'AAAA' }],
    ['a signature that is not DER', { signature: 'AAAA' }],
    ['no signature', { signature: '' }],
  ])('with %s is refused', async (_what, change) => {
    const { authenticator, passkey } = await registered();
    const challenge = newChallenge();
    const made = { ...authenticator.get(challenge), ...change };
    await expect(verifyAssertion(pinned, passkey, challenge, made)).rejects.toThrow(PasskeyRefused);
  });

  it('over another challenge is refused', async () => {
    const { authenticator, passkey } = await registered();
    const made = authenticator.get(newChallenge());
    await expect(verifyAssertion(pinned, passkey, newChallenge(), made)).rejects.toThrow(PasskeyRefused);
  });
});
