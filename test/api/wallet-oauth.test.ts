import { createHmac } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { startTestService, whileTesting } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/servers/identity-provider.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { newClientKey, sha256Hex } from '../support/wallets/wallet-client.ts';
import { addCredential, createWallet, oidcToken, sessionOf, verify } from '../support/wallets/wallets.ts';

const audience = 'our-app';
const clock = movableClock();
const key = newClientKey();
const clientPublicKey = key.publicKey;

let provider: IdentityProvider;
const configured = () => [{ issuer: provider.issuer, audience, jwksUrl: provider.jwksUrl }];
beforeAll(async () => {
  provider = await startIdentityProvider(audience, () => clock.now());
});
afterAll(() => provider.stop());
// Starts after the provider, whose address it is told.
const service = whileTesting(() =>
  startTestService({ clock, variables: { DAYBOOK_OIDC_ISSUERS: JSON.stringify(configured()) } }),
);
const { client } = service;
beforeEach(() => {
  provider.mode = 'up';
});

const register = async (token: string) => {
  const { accountId } = await createWallet(client);
  return addCredential(client, accountId, { type: 'OAUTH', oidcToken: token })();
};
const registered = async (claims: object = {}): Promise<Json> =>
  expectStatus(await register(await provider.token({ ...claims })), 201);
const signIn = (credential: Json, token: string, more: object = {}) =>
  verify(client, credential.id, { oidcToken: token, clientPublicKey, ...more });

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(clock.now().getTime() / 1000);

describe('a token of a configured issuer', () => {
  it('starts sessions of the credential that it registered', async () => {
    const credential = await registered({ email: 'ada@example.com' });
    expect(credential).toMatchObject({ type: 'OAUTH', nickname: 'ada@example.com' });
    const body = expectStatus(await signIn(credential, await provider.token()), 200);
    expect(body).toMatchObject({
      type: 'OAUTH',
      nickname: 'ada@example.com',
      accountId: credential.accountId,
    });
    await sessionOf(body, key.privateKey);
  });

  it('may be used for more than one session while it is fresh', async () => {
    const credential = await registered();
    const token = await provider.token();
    for (let n = 0; n < 2; n++) expectStatus(await signIn(credential, token), 200);
  });

  it.each([
    ['60 seconds old', -60, 200],
    ['61 seconds old', -61, 401],
    ['5 seconds ahead', 5, 200],
    ['8 seconds ahead', 8, 401],
  ])('is judged by its age: %s', async (_what, offset, status) => {
    const credential = await registered();
    // The service looks at its clock after the token was made: start at the beginning of a second.
    const ms = clock.now().getTime() % 1000;
    clock.advance(1000 - ms + 50);
    const token = await provider.token({ iat: seconds() + offset, exp: seconds() + 600 });
    expect((await signIn(credential, token)).status).toBe(status);
  });

  it.each<[string, object]>([
    ['for another subject', { sub: 'somebody-else' }],
    ['for another audience', { aud: 'their-app' }],
    ['for two audiences', { aud: [audience, 'their-app'] }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['without an audience', { aud: undefined }],
    ['without a time of issue', { iat: undefined }],
    ['without an expiry', { exp: undefined }],
    ['that has expired', { exp: 1_000_000_000 }],
    ['that is not valid yet', { nbf: 4_000_000_000 }],
    ['whose subject is a number', { sub: 123 }],
    ['whose subject cannot be kept', { sub: 'a\u0000b' }],
    ['whose subject is too long', { sub: 'x'.repeat(2_000) }],
    ['whose audience is a number', { aud: 7 }],
  ])('is refused when it is one %s', async (_what, claims) => {
    const credential = await registered();
    const answer = await signIn(credential, await provider.token({ ...claims }));
    expect(expectProblem(answer, 401, 'UNAUTHORIZED').reason).toMatch(/^[A-Z_]+$/);
  });

  it('is named by its subject where its e-mail address cannot be kept', async () => {
    const at = seconds();
    const token = await provider.token({ iat: at + 3, nbf: at + 3, email: 'a\ud800@example.com' });
    const credential = expectStatus(await register(token), 201);
    expect(credential.nickname).toBe('somebody');
  });

  it('may name its audience in a list of one', async () => {
    const credential = await registered({ aud: [audience] });
    expectStatus(await signIn(credential, await provider.token()), 200);
  });
});

describe('a token that is forged', () => {
  let credential: Json;
  beforeAll(async () => {
    credential = await registered();
  });
  const usual = () => ({
    iss: provider.issuer,
    aud: audience,
    sub: 'somebody',
    iat: seconds(),
    exp: seconds() + 300,
  });
  const publicKey = (): JWK => provider.keys[0] ?? {};

  it.each<[string, () => Promise<string> | string]>([
    ['without a signature', () => `${encoded({ alg: 'none' })}.${encoded(usual())}.`],
    [
      'with the public key as a shared secret',
      () => {
        const text = `${encoded({ alg: 'HS256', kid: 'key-1' })}.${encoded(usual())}`;
        return `${text}.${createHmac('sha256', JSON.stringify(publicKey())).update(text).digest('base64url')}`;
      },
    ],
    [
      'by another key under a known id',
      async () => {
        const { privateKey } = await generateKeyPair('RS256');
        return new SignJWT(usual()).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(privateKey);
      },
    ],
    [
      'by a key that it brings along',
      async () => {
        const pair = await generateKeyPair('RS256', { extractable: true });
        const jwk = await exportJWK(pair.publicKey);
        return new SignJWT(usual()).setProtectedHeader({ alg: 'RS256', jwk }).sign(pair.privateKey);
      },
    ],
    ['under an unknown key id', () => provider.token({}, { kid: 'nobody' })],
    [
      'with a dummy signature',
      async () => `${(await provider.token()).split('.').slice(0, 2).join('.')}.AAAA`,
    ],
    [
      'with other claims under the signature',
      async () => {
        const [header, , signature] = (await provider.token()).split('.');
        return `${header}.${encoded({ ...usual(), sub: 'victim' })}.${signature}`;
      },
    ],
  ])('is refused when it is one %s', async (_what, forge) => {
    expectProblem(await signIn(credential, await forge()), 401, 'UNAUTHORIZED');
    expectProblem(await register(await forge()), 401, 'UNAUTHORIZED');
  });

  it('is not followed to where it says that its keys are', async () => {
    const trap = await startIdentityProvider(audience, () => clock.now());
    const asked = trap.fetched();
    const header = { jku: trap.jwksUrl, x5u: trap.jwksUrl };
    for (const token of [await trap.token(), await provider.token({}, header)])
      await signIn(credential, token);
    expect(trap.fetched()).toBe(asked);
    await trap.stop();
  });
});

describe('a text that is no token', () => {
  it.each([
    ['noise', 'noise'],
    ['two parts', 'a.b'],
    ['three parts of noise', 'a.b.c'],
    ['an encrypted token', `${encoded({ alg: 'dir', enc: 'A128GCM' })}.AA.AA.AA.AA`],
    ['a token without issuer', `${encoded({ alg: 'RS256' })}.${encoded({ sub: 'x' })}.AAAA`],
    [
      'a token of an unknown issuer',
      `${encoded({ alg: 'RS256' })}.${encoded({ iss: 'https://evil.test' })}.AAAA`,
    ],
  ])('is refused as a bad field: %s', async (_what, token) => {
    expect(namedFields(expectProblem(await register(token), 400, 'INVALID_INPUT'))).toEqual(['oidcToken']);
    const credential = await registered();
    expectProblem(await signIn(credential, token), 400, 'INVALID_INPUT');
  });

  it('is refused when it is missing or too long', async () => {
    const credential = await registered();
    for (const oidc of [undefined, 'x'.repeat(20_000)])
      expectProblem(await verify(client, credential.id, { oidcToken: oidc, clientPublicKey }), 400);
  });
});

describe('an issuer that cannot be asked', () => {
  it.each(['down', 'noise'] as const)('is no fault of the token when it is %s', async (mode) => {
    const fresh = await startTestService({
      clock,
      variables: { DAYBOOK_OIDC_ISSUERS: JSON.stringify(configured()) },
    });
    try {
      provider.mode = mode;
      const { accountId } = await createWallet(fresh.client);
      const body = { type: 'OAUTH', oidcToken: await provider.token() };
      const call = addCredential(fresh.client, accountId, body);
      const answer = await call();
      expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
      expect(answer.headers.get('retry-after')).toBe('5');
      provider.mode = 'up';
      expectStatus(await addCredential(fresh.client, accountId, body)(), 201);
    } finally {
      await fresh.stop();
    }
  });
});

describe("the sandbox's identity provider", () => {
  it('describes itself with the keys of its tokens', async () => {
    const metadata = expectStatus(
      await client.raw('/sandbox/oidc/.well-known/openid-configuration', {}),
      200,
    );
    expect(metadata.issuer).toBe(`${service.url}/sandbox/oidc`);
    const { keys } = (await (await fetch(metadata.jwks_uri)).json()) as { keys: JWK[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toHaveProperty('d');
    const token = await oidcToken(client, 'ada', { email: 'ada@example.com', audience: 'app' });
    const { createLocalJWKSet, jwtVerify } = await import('jose');
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys }), { currentDate: clock.now() });
    expect(payload).toMatchObject({
      iss: metadata.issuer,
      sub: 'ada',
      aud: 'app',
      email: 'ada@example.com',
    });
  });

  it('is trusted for nobody but whom it names', async () => {
    const { accountId } = await createWallet(client);
    const body = { type: 'OAUTH', oidcToken: await oidcToken(client, 'ada') };
    const credential = expectStatus(await addCredential(client, accountId, body)(), 201);
    expectStatus(await signIn(credential, await oidcToken(client, 'ada')), 200);
    const bob = await signIn(credential, await oidcToken(client, 'bob'));
    expect(expectProblem(bob, 401, 'UNAUTHORIZED').reason).toBe('IDENTITY_MISMATCH');
    const elsewhere = await signIn(credential, await oidcToken(client, 'ada', { audience: 'other' }));
    expectProblem(elsewhere, 401, 'UNAUTHORIZED');
    const otherIssuer = await signIn(credential, await provider.token({ sub: 'ada' }));
    expectProblem(otherIssuer, 401, 'UNAUTHORIZED');
  });

  it('makes no token without a subject', async () => {
    const problem = expectProblem(await client.post('/sandbox/oidc/token', {}), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['subject']);
  });
});

describe('the nonce of a token', () => {
  it('names the only key that the token starts a session for', async () => {
    const bound = await startTestService({ clock, variables: { DAYBOOK_OIDC_REQUIRE_NONCE: 'true' } });
    try {
      const { accountId } = await createWallet(bound.client);
      const body = { type: 'OAUTH', oidcToken: await oidcToken(bound.client, 'ada') };
      const { id } = expectStatus(await addCredential(bound.client, accountId, body)(), 201);
      const tryWith = async (nonce?: string) =>
        verify(bound.client, id, {
          oidcToken: await oidcToken(bound.client, 'ada', nonce ? { nonce } : {}),
          clientPublicKey,
        });
      expectStatus(await tryWith(sha256Hex(clientPublicKey)), 200);
      for (const nonce of [undefined, 'other', sha256Hex(clientPublicKey.toUpperCase())])
        expect(expectProblem(await tryWith(nonce), 401).reason).toBe('NONCE_MISMATCH');
    } finally {
      await bound.stop();
    }
  });

  it('is made as the published vector says', () => {
    expect(sha256Hex('0394e549c71fa99dd5cf752fba623090be314949b74e4cdf7ca72031dd638e281a')).toBe(
      '1663bba492a323085b13895634a3618792c4ec6896f3c34ef3c26396df22ef82',
    );
  });
});
