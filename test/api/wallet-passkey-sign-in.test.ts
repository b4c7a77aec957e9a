import { randomUUID } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import {
  key,
  newChallenge,
  passkeyChallenge,
  registration,
  signInByPasskey,
  site,
  walletWithPasskey,
} from '../support/wallets/passkeys.ts';
import { type Deviation, softwareAuthenticator } from '../support/wallets/software-authenticator.ts';
import {
  addCredential,
  byToken,
  challengeFor,
  createWallet,
  sessionOf,
  setPrivacy,
  signed,
  stamped,
  verify,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const clock = movableClock();

const service = serviceOfTests({
  clock,
  variables: { DAYBOOK_WEBAUTHN_USER_VERIFICATION: 'required' },
});
const { client } = service;

/** Asks for a challenge with a body of exactly this text. */
const challengeWith = ({ id }: Json, text: string) =>
  send(service, 'POST', `/auth/credentials/${id}/challenge`, { text });

type Passkey = Awaited<ReturnType<typeof walletWithPasskey>>;
/** Asks for a challenge and answers it at once. */
async function tried({ authenticator, credential }: Passkey, deviation: Deviation = {}, change: object = {}) {
  const { challenge, requestId } = await passkeyChallenge(client, credential);
  const assertion = { ...authenticator.get(challenge, deviation), ...change };
  return signInByPasskey(client, credential, assertion, requestId);
}

describe('the challenge of a passkey', () => {
  it('is answered together with its credential', async () => {
    const { credential } = await walletWithPasskey(client);
    expect(await passkeyChallenge(client, credential)).toEqual({
      ...credential,
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      requestId: expect.stringMatching(/^Request:/),
      expiresAt: expect.any(String),
    });
  });

  it('is used up by one of 20 who answer it at once', async () => {
    const { authenticator, credential } = await walletWithPasskey(client, { step: 0 });
    const { challenge, requestId } = await passkeyChallenge(client, credential);
    const assertion = authenticator.get(challenge);
    const answers = await together(20, () => signInByPasskey(client, credential, assertion, requestId));
    expect(countByStatus(answers)).toEqual({ 200: 1, 401: 19 });
  });

  it('is void once there is a newer one', async () => {
    const { authenticator, credential } = await walletWithPasskey(client);
    const older = await passkeyChallenge(client, credential);
    const newer = await passkeyChallenge(client, credential);
    for (const { requestId } of [older, newer]) {
      const assertion = authenticator.get(older.challenge);
      expectProblem(await signInByPasskey(client, credential, assertion, requestId), 401);
    }
  });

  it('expires after five minutes', async () => {
    const { authenticator, credential } = await walletWithPasskey(client);
    const { challenge, requestId } = await passkeyChallenge(client, credential);
    clock.advance(300_000);
    const assertion = authenticator.get(challenge);
    expectProblem(await signInByPasskey(client, credential, assertion, requestId), 401);
  });

  it.each([{}, { clientPublicKey: 7 }, { clientPublicKey: `04${'11'.repeat(64)}` }])(
    'is not issued for %j, which has no client key',
    async (body) => {
      const { credential } = await walletWithPasskey(client);
      const answer = await client.post(`/auth/credentials/${credential.id}/challenge`, body);
      expect(namedFields(expectProblem(answer, 400))).toEqual(['clientPublicKey']);
    },
  );

  it.each([
    ['null', 'INVALID_INPUT'],
    ['[]', 'INVALID_INPUT'],
    ['{', 'INVALID_REQUEST_FORMAT'],
  ])('is issued for no body %s', async (body, code) => {
    const { credential } = await walletWithPasskey(client);
    expectProblem(await challengeWith(credential, body), 400, code);
  });

  it('is not issued for an OAUTH credential, which has its body looked at all the same', async () => {
    const { accountId } = await createWallet(client);
    const oauth = expectStatus(await addCredential(client, accountId, await byToken(client))(), 201);
    expectProblem(await client.post(`/auth/credentials/${oauth.id}/challenge`), 400, 'INVALID_INPUT');
    expectProblem(await challengeWith(oauth, '{'), 400, 'INVALID_REQUEST_FORMAT');
  });

  it('is not issued for a credential that is not there', async () => {
    const answer = await client.post(`/auth/credentials/AuthMethod:${randomUUID()}/challenge`);
    expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
  });
});

describe('signing in with a passkey', () => {
  it('starts a session', async () => {
    const wallet = await walletWithPasskey(client);
    const { accountId, credential } = wallet;
    const body = expectStatus(await tried(wallet), 200);
    expect(body).toMatchObject({ accountId, type: 'PASSKEY', credentialId: credential.credentialId });
  });

  it('starts a session for the key that the challenge was asked with', async () => {
    const wallet = await walletWithPasskey(client);
    const session = await sessionOf(expectStatus(await tried(wallet), 200), key.privateKey);
    expectStatus(await signed(setPrivacy(client, wallet.accountId), session), 200);
  });

  it.each([
    ['grows', {}],
    ['stays zero', { step: 0 }],
  ])('works again and again with a counter that %s', async (_what, options) => {
    const wallet = await walletWithPasskey(client, options);
    for (let n = 0; n < 3; n++) expectStatus(await tried(wallet), 200);
  });

  it('fails when the counter goes back, in any order of arrival', async () => {
    const wallet = await walletWithPasskey(client);
    const outcomes = [];
    for (const counter of [5, 5, 4, 0, 6]) {
      const { status, body } = await tried(wallet, { counter });
      outcomes.push(body.reason ?? status);
    }
    expect(outcomes).toEqual([200, 'COUNTER', 'COUNTER', 'COUNTER', 200]);
  });

  it.each<[string, Deviation]>([
    ['at another origin', { origin: 'https://evil.example.test' }],
    ['for another relying party', { rpId: 'other.test' }],
    ['of another type', { type: 'webauthn.create' }],
    ['without a user', { flags: { up: false } }],
    ['without verification of the user', { flags: { uv: false } }],
    ['by another key', { secretKey: p256.utils.randomSecretKey() }],
  ])('is refused %s, and its challenge stays good', async (_what, deviation) => {
    const { authenticator, credential } = await walletWithPasskey(client);
    const { challenge, requestId } = await passkeyChallenge(client, credential);
    const by = (assertion: object) => signInByPasskey(client, credential, assertion, requestId);
    const bad = await by(authenticator.get(challenge, deviation));
    expect(expectProblem(bad, 401, 'UNAUTHORIZED').reason).toBe('ASSERTION_INVALID');
    expectStatus(await by(authenticator.get(challenge)), 200);
  });

  it.each([
    ['a foreign credential id', { credentialId: newChallenge() }],
    ['tampered client data', { clientDataJson: Buffer.from('{}').toString('base64url') }],
    ['authenticator data cut short', { authenticatorData: 'AAAA' }],
    ['a signature that is not DER', { signature: 'AAAA' }],
  ])('is refused with %s', async (_what, change) => {
    const wallet = await walletWithPasskey(client);
    expectProblem(await tried(wallet, {}, change), 401, 'UNAUTHORIZED');
  });

  it('is refused without a Request-Id', async () => {
    const { authenticator, credential } = await walletWithPasskey(client);
    const { challenge } = await passkeyChallenge(client, credential);
    const body = { assertion: authenticator.get(challenge) };
    expectProblem(await verify(client, credential.id, body), 401, 'REQUEST_ID_MISSING');
  });

  it('is refused without an assertion', async () => {
    const { credential } = await walletWithPasskey(client);
    const { requestId } = await passkeyChallenge(client, credential);
    const answer = await verify(client, credential.id, {}, { 'request-id': requestId });
    expect(namedFields(expectProblem(answer, 400))).toEqual(['assertion']);
  });
});

describe('the Request-Id of a passkey', () => {
  /** A challenge to sign, and one to sign in, of the same wallet. */
  const bothChallenges = async () => {
    const { accountId, session } = await walletWithSession(client);
    const authenticator = softwareAuthenticator(site);
    const added = await signed(addCredential(client, accountId, registration(authenticator)), session);
    const credential = expectStatus(added, 201);
    const call = setPrivacy(client, accountId);
    const [asked, issued] = [await challengeFor(call), await passkeyChallenge(client, credential)];
    return { session, authenticator, credential, call, asked, issued };
  };

  it('is not that of a signed request', async () => {
    const { authenticator, credential, asked, issued } = await bothChallenges();
    const assertion = authenticator.get(issued.challenge);
    const answer = await signInByPasskey(client, credential, assertion, asked.requestId);
    expectProblem(answer, 401, 'UNAUTHORIZED');
  });

  it('is not good for a signed request', async () => {
    const { session, call, asked, issued } = await bothChallenges();
    const headers = { ...stamped(asked, session), 'request-id': issued.requestId };
    expectProblem(await call(headers), 401, 'UNAUTHORIZED');
  });
});
