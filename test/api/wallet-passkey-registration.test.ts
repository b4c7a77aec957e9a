import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { key, newChallenge, registration, site, walletWithPasskey } from '../support/wallets/passkeys.ts';
import { type Deviation, softwareAuthenticator } from '../support/wallets/software-authenticator.ts';
import {
  addCredential,
  challengeFor,
  createWallet,
  revokeCredential,
  signed,
  stamped,
  verify,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const { client } = serviceOfTests({ variables: { DAYBOOK_WEBAUTHN_USER_VERIFICATION: 'required' } });

/** Of P-256 for ES256: x without y. */
const halfKey = [
  [1, 2],
  [3, -7],
  [-1, 1],
  [-2, Buffer.alloc(32, 1)],
] as const;

describe('registering a passkey', () => {
  it('answers it with its WebAuthn id and its nickname', async () => {
    const { accountId, authenticator, credential } = await walletWithPasskey(client);
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

  it.each(['मेरी कुंजी', 'กุญแจ', 'Zoe\u0301'])('takes the nickname %s', async (nickname) => {
    const { accountId } = await createWallet(client);
    const body = { ...registration(softwareAuthenticator(site)), nickname };
    expect(expectStatus(await addCredential(client, accountId, body)(), 201).nickname).toBe(nickname);
  });

  it('is refused on the first call to a wallet that has one', async () => {
    const { accountId } = await walletWithPasskey(client);
    const again = addCredential(client, accountId, registration(softwareAuthenticator(site)));
    expectProblem(await again(), 400, 'PASSKEY_CREDENTIAL_ALREADY_EXISTS');
  });

  it('needs a signature where the wallet has another credential', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call = addCredential(client, accountId, registration(softwareAuthenticator(site)));
    const asked = await challengeFor(call);
    expect(asked.type).toBe('PASSKEY');
    expectStatus(await call(stamped(asked, session)), 201);
  });

  it('takes no challenge that a revoked passkey was made with', async () => {
    const { accountId, session } = await walletWithSession(client);
    const used = newChallenge();
    const call = addCredential(client, accountId, registration(softwareAuthenticator(site), used));
    const { id } = expectStatus(await signed(call, session), 201);
    expectStatus(await signed(revokeCredential(client, id), session), 204);
    const again = addCredential(client, accountId, registration(softwareAuthenticator(site), used));
    expectProblem(await again(), 400, 'INVALID_INPUT');
    const fresh = addCredential(client, accountId, registration(softwareAuthenticator(site)));
    expectStatus(await signed(fresh, session), 201);
  });

  it.each<[string, Deviation]>([
    ['for another relying party', { rpId: 'other.test' }],
    ['of another type', { type: 'webauthn.get' }],
    ['without verification of the user', { flags: { uv: false } }],
    ['with half a public key', { publicKey: halfKey }],
  ])('is refused with an attestation %s', async (_what, deviation) => {
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
    ['a nickname of a mark alone', (body: Json) => ({ ...body, nickname: '\u0301' }), 'nickname'],
  ])('is refused with %s', async (_what, change, field) => {
    const { accountId } = await createWallet(client);
    const body = change(registration(softwareAuthenticator(site)));
    const problem = expectProblem(await addCredential(client, accountId, body)(), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual([field]);
  });
});

function withAttestation(change: object) {
  return (body: Json) => ({ ...body, attestation: { ...body.attestation, ...change } });
}

describe('an installation without settings for passkeys', () => {
  it('takes a user who is present for enough', async () => {
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

describe('an installation with its own origins and relying party', () => {
  const strict = serviceOfTests({
    variables: {
      DAYBOOK_WEBAUTHN_ORIGINS: 'https://wallet.example.test,https://app.example.test',
      DAYBOOK_WEBAUTHN_RP_ID: 'example.test',
    },
  });

  const register = async (place: object) => {
    const { accountId } = await createWallet(strict.client);
    const authenticator = softwareAuthenticator({ ...site, ...place });
    return addCredential(strict.client, accountId, registration(authenticator))();
  };

  it.each(['https://wallet.example.test', 'https://app.example.test'])(
    'takes a passkey of its origin %s',
    async (origin) => {
      expectStatus(await register({ origin }), 201);
    },
  );

  it('refuses a passkey of another origin', async () => {
    expectProblem(await register({ origin: 'https://evil.example.test' }), 400);
  });

  it('refuses a passkey of another relying party', async () => {
    expectProblem(await register({ rpId: 'wallet.example.test' }), 400);
  });
});
