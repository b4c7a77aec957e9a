import { randomBytes, randomUUID } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/client.ts';
import { countByStatus, together } from '../support/concurrency.ts';
import { expectStatus } from '../support/flows.ts';
import { movableClock } from '../support/movable-clock.ts';
import { expectProblem, namedFields } from '../support/problems.ts';
import { startTestService, type TestService } from '../support/service.ts';
import {
  type Deviation,
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '../support/software-authenticator.ts';
import { newClientKey } from '../support/wallet-client.ts';
import {
  addCredential,
  type Call,
  challengeFor,
  createWallet,
  sessionOf,
  signed,
  stamped,
  verify,
  walletWithSession,
} from '../support/wallets.ts';

const clock = movableClock();
const site = { rpId: 'example.test', origin: 'https://wallet.example.test' };
const key = newClientKey();
const newChallenge = () => randomBytes(32).toString('base64url');

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService({
    clock,
    variables: { DAYBOOK_WEBAUTHN_USER_VERIFICATION: 'required' },
  });
  client = service.client;
});
afterAll(() => service.stop());

const registration = (authenticator: SoftwareAuthenticator, challenge = newChallenge()) => ({
  type: 'PASSKEY',
  nickname: "Ada's phone (work)",
  challenge,
  attestation: { ...authenticator.create(challenge), transports: ['internal', 'hybrid'] },
});

async function withPasskey(options: object = {}) {
  const { accountId } = await createWallet(client);
  const authenticator = softwareAuthenticator({ ...site, ...options });
  const body = registration(authenticator);
  return {
    accountId,
    authenticator,
    credential: expectStatus(await addCredential(client, accountId, body)(), 201),
  };
}

const challenge = async (credential: Json, clientPublicKey = key.publicKey): Promise<Json> =>
  expectStatus(await client.post(`/auth/credentials/${credential.id}/challenge`, { clientPublicKey }), 200);
const signIn = (credential: Json, assertion: object, requestId: string) =>
  verify(client, credential.id, { assertion }, { 'request-id': requestId });

describe('registering a passkey', () => {
  it('answers it with its WebAuthn id and its nickname', async () => {
    const { accountId, authenticator, credential } = await withPasskey();
    expect(credential).toEqual({
      id: expect.stringMatching(/^AuthMethod:/),
      accountId,
      type: 'PASSKEY',
      nickname: "Ada's phone (work)",
      credentialId: authenticator.credentialId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('is possible once for a wallet, which the first call says', async () => {
    const { accountId } = await withPasskey();
    const again = addCredential(client, accountId, registration(softwareAuthenticator(site)));
    expectProblem(await again(), 400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS');
  });

  it('as a second credential needs a signature', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call = addCredential(client, accountId, registration(softwareAuthenticator(site)));
    const asked = await challengeFor(call);
    expect(asked.type).toBe('PASSKEY');
    expectStatus(await call(stamped(asked, session)), 201);
  });

  it('takes each challenge once, also after the passkey was revoked', async () => {
    const { accountId, session } = await walletWithSession(client);
    const used = newChallenge();
    const call = addCredential(client, accountId, registration(softwareAuthenticator(site), used));
    const { id } = expectStatus(await signed(call, session), 201);
    const revoke: Call = (headers) => client.delete(`/auth/credentials/${id}`, headers);
    expectStatus(await signed(revoke, session), 204);
    const again = addCredential(client, accountId, registration(softwareAuthenticator(site), used));
    expectProblem(await again(), 400, 'INVALID_INPUT');
    const fresh = addCredential(client, accountId, registration(softwareAuthenticator(site)));
    expectStatus(await signed(fresh, session), 201);
  });

  it.each<[string, Deviation]>([
    ['for another relying party', { rpId: 'other.test' }],
    ['of another type', { type: 'webauthn.get' }],
    ['without verification of the user', { flags: { uv: false } }],
  ])('%s is a 400', async (_what, deviation) => {
    const { accountId } = await createWallet(client);
    const used = newChallenge();
    const attestation = softwareAuthenticator(site).create(used, deviation);
    const body = { type: 'PASSKEY', nickname: 'phone', challenge: used, attestation };
    const problem = expectProblem(await addCredential(client, accountId, body)(), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['attestation']);
  });

  it.each([
    ['another challenge', (body: Json) => ({ ...body, challenge: newChallenge() }), 'attestation'],
    ['a foreign credential id', withAttestation({ credentialId: newChallenge() }), 'attestation'],
    ['noise for an attestation', withAttestation({ attestationObject: newChallenge() }), 'attestation'],
    ['noise for client data', withAttestation({ clientDataJson: 'AAAA' }), 'attestation'],
    ['what is not base64url', withAttestation({ clientDataJson: '!' }), 'attestation.clientDataJson'],
    ['an unknown transport', withAttestation({ transports: ['pigeon'] }), 'attestation.transports.0'],
    ['an empty nickname', (body: Json) => ({ ...body, nickname: '  ' }), 'nickname'],
    ['a nickname of 101 letters', (body: Json) => ({ ...body, nickname: 'x'.repeat(101) }), 'nickname'],
    ['a nickname with markup', (body: Json) => ({ ...body, nickname: '<b>x</b>' }), 'nickname'],
  ])('with %s is a 400', async (_what, change, field) => {
    const { accountId } = await createWallet(client);
    const body = change(registration(softwareAuthenticator(site)));
    const problem = expectProblem(await addCredential(client, accountId, body)(), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual([field]);
  });
});

function withAttestation(change: object) {
  return (body: Json) => ({ ...body, attestation: { ...body.attestation, ...change } });
}

describe('signing in with a passkey', () => {
  it('starts a session for the key that the challenge was asked with', async () => {
    const { accountId, authenticator, credential } = await withPasskey();
    const issued = await challenge(credential);
    expect(issued).toEqual({
      ...credential,
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      requestId: expect.stringMatching(/^Request:/),
      expiresAt: expect.any(String),
    });
    const answer = await signIn(credential, authenticator.get(issued.challenge), issued.requestId);
    const body = expectStatus(answer, 200);
    expect(body).toMatchObject({ accountId, type: 'PASSKEY', credentialId: credential.credentialId });
    const session = await sessionOf(body, key.privateKey);
    const privacy: Call = (headers) =>
      client.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, headers);
    expectStatus(await signed(privacy, session), 200);
  });

  it('works again and again, also with a counter that stays zero', async () => {
    for (const options of [{}, { step: 0 }]) {
      const { authenticator, credential } = await withPasskey(options);
      for (let n = 0; n < 3; n++) {
        const issued = await challenge(credential);
        expectStatus(await signIn(credential, authenticator.get(issued.challenge), issued.requestId), 200);
      }
    }
  });

  it('uses its challenge up, and is won by one of 20 at once', async () => {
    const { authenticator, credential } = await withPasskey({ step: 0 });
    const issued = await challenge(credential);
    const assertion = authenticator.get(issued.challenge);
    const answers = await together(20, () => signIn(credential, assertion, issued.requestId));
    expect(countByStatus(answers)).toEqual({ 200: 1, 401: 19 });
  });

  it('fails when the counter goes back, in any order of arrival', async () => {
    const { authenticator, credential } = await withPasskey();
    for (const [counter, status] of [
      [5, 200],
      [5, 401],
      [4, 401],
      [0, 401],
      [6, 200],
    ] as const) {
      const issued = await challenge(credential);
      const assertion = authenticator.get(issued.challenge, { counter });
      expect((await signIn(credential, assertion, issued.requestId)).status).toBe(status);
    }
  });

  it.each<[string, Deviation]>([
    ['at another origin', { origin: 'https://evil.example.test' }],
    ['for another relying party', { rpId: 'other.test' }],
    ['of another type', { type: 'webauthn.create' }],
    ['without a user', { flags: { up: false } }],
    ['without verification of the user', { flags: { uv: false } }],
    ['by another key', { secretKey: p256.utils.randomSecretKey() }],
  ])('%s is a 401, and its challenge stays good', async (_what, deviation) => {
    const { authenticator, credential } = await withPasskey();
    const issued = await challenge(credential);
    const bad = await signIn(credential, authenticator.get(issued.challenge, deviation), issued.requestId);
    expect(expectProblem(bad, 401, 'UNAUTHORIZED').reason).toBe('ASSERTION_INVALID');
    expectStatus(await signIn(credential, authenticator.get(issued.challenge), issued.requestId), 200);
  });

  it.each([
    ['a foreign credential id', { credentialId: newChallenge() }],
    ['tampered client data', { clientDataJson: Buffer.from('{}').toString('base64url') }],
    ['authenticator data cut short', { authenticatorData: 'AAAA' }],
    ['a signature that is not DER', { signature: 'AAAA' }],
  ])('with %s is a 401', async (_what, change) => {
    const { authenticator, credential } = await withPasskey();
    const issued = await challenge(credential);
    const assertion = { ...authenticator.get(issued.challenge), ...change };
    expectProblem(await signIn(credential, assertion, issued.requestId), 401, 'UNAUTHORIZED');
  });

  it('takes the newest challenge only, until it expires', async () => {
    const { authenticator, credential } = await withPasskey();
    const [older, newer] = [await challenge(credential), await challenge(credential)];
    expectProblem(await signIn(credential, authenticator.get(older.challenge), older.requestId), 401);
    expectProblem(await signIn(credential, authenticator.get(older.challenge), newer.requestId), 401);
    clock.advance(300_000);
    expectProblem(await signIn(credential, authenticator.get(newer.challenge), newer.requestId), 401);
  });

  it('needs its own kind of request id, and a signed request needs another', async () => {
    const { accountId, session } = await walletWithSession(client);
    const authenticator = softwareAuthenticator(site);
    const added = await signed(addCredential(client, accountId, registration(authenticator)), session);
    const credential = expectStatus(added, 201);
    const privacy: Call = (headers) =>
      client.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, headers);
    const [asked, issued] = [await challengeFor(privacy), await challenge(credential)];
    const assertion = authenticator.get(issued.challenge);
    expectProblem(await signIn(credential, assertion, asked.requestId), 401, 'UNAUTHORIZED');
    const headers = { ...stamped(asked, session), 'request-id': issued.requestId };
    expectProblem(await privacy(headers), 401, 'UNAUTHORIZED');
  });

  it('says what is missing', async () => {
    const { authenticator, credential } = await withPasskey();
    const issued = await challenge(credential);
    const assertion = authenticator.get(issued.challenge);
    expectProblem(await verify(client, credential.id, { assertion }), 401, 'REQUEST_ID_MISSING');
    const withoutAssertion = await verify(client, credential.id, {}, { 'request-id': issued.requestId });
    expect(namedFields(expectProblem(withoutAssertion, 400))).toEqual(['assertion']);
    const offTheCurve = `04${'11'.repeat(64)}`;
    for (const body of [{}, { clientPublicKey: 7 }, { clientPublicKey: offTheCurve }]) {
      const withoutKey = await client.post(`/auth/credentials/${credential.id}/challenge`, body);
      expect(namedFields(expectProblem(withoutKey, 400))).toEqual(['clientPublicKey']);
    }
  });

  it('has no challenge for an OAUTH credential, nor for an unknown one', async () => {
    const { accountId } = await createWallet(client);
    const { oidcToken } = expectStatus(await client.post('/sandbox/oidc/token', { subject: 'x' }), 201);
    const oauth = expectStatus(await addCredential(client, accountId, { type: 'OAUTH', oidcToken })(), 201);
    expectProblem(await client.post(`/auth/credentials/${oauth.id}/challenge`), 400, 'INVALID_INPUT');
    const unknown = await client.post(`/auth/credentials/AuthMethod:${randomUUID()}/challenge`);
    expectProblem(unknown, 404, 'REFERENCE_NOT_FOUND');
  });
});

describe('by default', () => {
  it('a user who is present suffices, without being verified', async () => {
    const lenient = await startTestService();
    try {
      const { accountId } = await createWallet(lenient.client);
      const used = newChallenge();
      const authenticator = softwareAuthenticator(site);
      const present = { flags: { uv: false } };
      const attestation = authenticator.create(used, present);
      const body = { type: 'PASSKEY', nickname: 'key', challenge: used, attestation };
      const { id } = expectStatus(await addCredential(lenient.client, accountId, body)(), 201);
      const asked = { clientPublicKey: key.publicKey };
      const path = `/auth/credentials/${id}/challenge`;
      const issued = expectStatus(await lenient.client.post(path, asked), 200);
      const assertion = authenticator.get(issued.challenge, present);
      const headers = { 'request-id': issued.requestId };
      expectStatus(await verify(lenient.client, id, { assertion }, headers), 200);
    } finally {
      await lenient.stop();
    }
  });
});

describe('with a configured origin and relying party', () => {
  it('passkeys of other places are refused', async () => {
    const strict = await startTestService({
      variables: {
        DAYBOOK_WEBAUTHN_ORIGINS: 'https://wallet.example.test,https://app.example.test',
        DAYBOOK_WEBAUTHN_RP_ID: 'example.test',
      },
    });
    try {
      const register = async (place: { rpId: string; origin: string }) => {
        const { accountId } = await createWallet(strict.client);
        return addCredential(strict.client, accountId, registration(softwareAuthenticator(place)))();
      };
      expectStatus(await register(site), 201);
      expectStatus(await register({ ...site, origin: 'https://app.example.test' }), 201);
      expectProblem(await register({ ...site, origin: 'https://evil.example.test' }), 400);
      expectProblem(await register({ ...site, rpId: 'wallet.example.test' }), 400);
    } finally {
      await strict.stop();
    }
  });
});
