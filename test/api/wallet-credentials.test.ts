import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { countByStatus, together } from '../support/concurrency.ts';
import { accountOf, expectStatus } from '../support/flows.ts';
import { startBeside } from '../support/platforms.ts';
import { expectProblem, namedFields } from '../support/problems.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { newClientKey } from '../support/wallet-client.ts';
import {
  addCredential,
  addEmail,
  challengeFor,
  createWallet,
  listCredentials,
  listSessions,
  mailsOf,
  oidcToken,
  sessionOf,
  signed,
  signInByEmail,
  stamped,
  verify,
  walletWithSession,
} from '../support/wallets.ts';

let service: TestService;
let beside: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService();
  beside = await startBeside(service);
  client = service.client;
});
afterAll(async () => {
  await beside.stop();
  await service.stop();
});

const byEmail = { type: 'EMAIL_OTP' };
const byToken = async (subject: string = randomUUID(), more: object = {}) => ({
  type: 'OAUTH',
  oidcToken: await oidcToken(client, subject, more),
});

describe('the first credential of a wallet', () => {
  it('is registered at once, and its code is mailed', async () => {
    const { accountId } = await createWallet(client, { email: 'first@example.com' });
    expect(await listCredentials(client, accountId)).toEqual([]);
    const body = expectStatus(await addCredential(client, accountId, byEmail)(), 201);
    expect(body).toEqual({
      id: expect.stringMatching(/^AuthMethod:/),
      accountId,
      type: 'EMAIL_OTP',
      nickname: 'first@example.com',
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    });
    expect(await listCredentials(client, accountId)).toEqual([body]);
    expect(await listSessions(client, accountId)).toEqual([]);
    const mails = (await mailsOf(client)).filter(({ to }) => to === 'first@example.com');
    expect(mails).toHaveLength(1);
    expect(mails[0].text).toMatch(/\b\d{6}\b/);
  });

  it('takes an address of its own', async () => {
    const wallet = await createWallet(client);
    expect(await addEmail(client, wallet, { email: 'other@example.com' })).toMatchObject({
      nickname: 'other@example.com',
    });
  });

  it('needs an address where the customer has none', async () => {
    const { accountId } = await createWallet(client, { email: undefined });
    const answer = await addCredential(client, accountId, byEmail)();
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['email']);
  });

  it('can be an OAUTH one, named by the e-mail claim or else the subject', async () => {
    const [one, two] = [await createWallet(client), await createWallet(client)];
    const withEmail = await byToken('subject-1', { email: 'claim@example.com' });
    expect(expectStatus(await addCredential(client, one.accountId, withEmail)(), 201)).toMatchObject({
      type: 'OAUTH',
      nickname: 'claim@example.com',
    });
    expect(
      expectStatus(await addCredential(client, two.accountId, await byToken('subject-2'))(), 201),
    ).toMatchObject({ nickname: 'subject-2' });
  });

  it('is one of 20 that come at once; the others get a challenge or are refused', async () => {
    const { accountId } = await createWallet(client);
    const bodies = await Promise.all(Array.from({ length: 20 }, () => byToken()));
    const answers = await Promise.all(bodies.map((body) => addCredential(client, accountId, body)()));
    expect(countByStatus(answers)).toEqual({ 201: 1, 202: 19 });
    const { accountId: other } = await createWallet(client);
    const emails = await together(20, () => addCredential(client, other, byEmail)());
    expect(countByStatus(emails)).toEqual({ 201: 1, 400: 19 });
    expect(await listCredentials(client, other)).toHaveLength(1);
  });
});

describe('a further credential', () => {
  it('needs the signature of a session', async () => {
    const { accountId, session } = await walletWithSession(client);
    const body = await byToken();
    const call = addCredential(client, accountId, body);
    const challenge = await challengeFor(call);
    expect(challenge).toEqual({
      payloadToSign: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      requestId: expect.stringMatching(/^Request:/),
      expiresAt: expect.any(String),
      type: 'OAUTH',
    });
    expect(await listCredentials(client, accountId)).toHaveLength(1);
    const added = expectStatus(await call(stamped(challenge, session)), 201);
    expect(await listCredentials(client, accountId)).toContainEqual(added);
  });

  it('says in its payload what is signed', async () => {
    const { accountId } = await walletWithSession(client);
    const { payloadToSign, requestId, expiresAt } = await challengeFor(
      addCredential(client, accountId, await byToken()),
    );
    const payload = JSON.parse(Buffer.from(payloadToSign, 'base64').toString());
    expect(payload).toEqual({
      requestId,
      expiresAt,
      accountId,
      operation: 'addCredential',
      target: accountId,
      bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      issuedAt: expect.any(String),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(Date.parse(payload.expiresAt) - Date.parse(payload.issuedAt)).toBe(300_000);
  });

  it('by e-mail sends its code on the signed retry, not before', async () => {
    const { accountId } = await createWallet(client);
    const subject = randomUUID();
    const oauth = expectStatus(await addCredential(client, accountId, await byToken(subject))(), 201);
    const key = newClientKey();
    const proof = { oidcToken: await oidcToken(client, subject), clientPublicKey: key.publicKey };
    const started = expectStatus(await verify(client, oauth.id, proof), 200);
    const session = await sessionOf(started, key.privateKey);
    const email = `${randomUUID()}@example.com`;
    const mails = async () => (await mailsOf(client)).filter(({ to }) => to === email);
    const call = addCredential(client, accountId, { ...byEmail, email });
    const challenge = await challengeFor(call);
    expect(await mails()).toEqual([]);
    const added = expectStatus(await call(stamped(challenge, session)), 201);
    expect(await mails()).toHaveLength(1);
    await signInByEmail(client, added.id);
  });

  it.each([['EMAIL_OTP', 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS']])(
    'of type %s is refused on the first call when there is one',
    async (type, code) => {
      const { accountId } = await walletWithSession(client);
      expectProblem(await addCredential(client, accountId, { type })(), 400, code);
    },
  );

  it('for an identity that has one is refused', async () => {
    const { accountId, session } = await walletWithSession(client);
    const subject = randomUUID();
    expectStatus(await signed(addCredential(client, accountId, await byToken(subject)), session), 201);
    const again = addCredential(client, accountId, await byToken(subject));
    expectProblem(await again(), 400, 'INVALID_INPUT');
    const elsewhere = addCredential(client, accountId, await byToken(subject, { audience: 'other' }));
    expectStatus(await signed(elsewhere, session), 201);
  });

  it('is refused on the retry when another one of its type came in between', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call = addCredential(client, accountId, await byToken('same-subject'));
    const [one, two] = [await challengeFor(call), await challengeFor(call)];
    expectStatus(await call(stamped(one, session)), 201);
    expectProblem(await call(stamped(two, session)), 400, 'INVALID_INPUT');
  });
});

describe('what cannot be registered', () => {
  it('is for an account that is no wallet', async () => {
    const { customer } = await createWallet(client);
    const { id } = await accountOf(client, customer.id);
    const answer = await addCredential(client, id, byEmail)();
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['accountId']);
  });

  it('is for an account of another platform, or none', async () => {
    const { accountId } = await createWallet(client);
    expectProblem(await addCredential(beside.client, accountId, byEmail)(), 404, 'REFERENCE_NOT_FOUND');
    const unknown = `InternalAccount:${randomUUID()}`;
    expectProblem(await addCredential(client, unknown, byEmail)(), 404, 'REFERENCE_NOT_FOUND');
  });

  it.each([
    [{}, ['type']],
    [{ type: 'SMS_OTP' }, ['type']],
    [{ ...byEmail, email: 'nobody' }, ['email']],
    [{ type: 'OAUTH' }, ['oidcToken']],
    [{ type: 'PASSKEY' }, ['attestation', 'challenge', 'nickname']],
    [{ type: 'PASSKEY', nickname: '<b>', challenge: 'x', attestation: {} }, undefined],
  ])('names what is wrong with %j', async (body, fields) => {
    const { accountId } = await createWallet(client);
    const problem = expectProblem(await addCredential(client, accountId, body)(), 400, 'INVALID_INPUT');
    if (fields) expect(namedFields(problem)).toEqual(fields);
  });
});

describe('the list of credentials', () => {
  it('is empty for an unknown account and for that of another platform', async () => {
    const { accountId } = await walletWithSession(client);
    expect(await listCredentials(beside.client, accountId)).toEqual([]);
    expect(await listCredentials(client, `InternalAccount:${randomUUID()}`)).toEqual([]);
  });

  it.each([{}, { accountId: 'x' }, { accountId: `Customer:${randomUUID()}` }])(
    'needs an account id, not %j',
    async (query) => {
      expectProblem(await client.get('/auth/credentials', query), 400, 'INVALID_INPUT');
      expectProblem(await client.get('/auth/sessions', query), 400, 'INVALID_INPUT');
    },
  );
});

describe('revoking a credential', () => {
  const revoke = (id: string) => (headers?: Readonly<Record<string, string>>) =>
    client.delete(`/auth/credentials/${id}`, headers);
  const withTwo = async () => {
    const wallet = await walletWithSession(client);
    const subject = randomUUID();
    const call = addCredential(client, wallet.accountId, await byToken(subject));
    const oauth = expectStatus(await signed(call, wallet.session), 201);
    return { ...wallet, oauth, subject };
  };

  it('takes a session of another credential, and ends the sessions that it issued', async () => {
    const { accountId, credential, oauth, session, subject } = await withTwo();
    const key = newClientKey();
    const proof = { oidcToken: await oidcToken(client, subject), clientPublicKey: key.publicKey };
    const second = expectStatus(await verify(client, oauth.id, proof), 200);
    const challenge = await challengeFor(revoke(oauth.id));
    expect(challenge.type).toBe('OAUTH');
    expectStatus(await revoke(oauth.id)(stamped(challenge, session)), 204);
    expect(await listCredentials(client, accountId)).toEqual([credential]);
    expect((await listSessions(client, accountId)).map(({ id }) => id)).not.toContain(second.id);
    expectProblem(await revoke(oauth.id)(), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await verify(client, oauth.id, proof), 404, 'REFERENCE_NOT_FOUND');
  });

  it('is not signed for by a session of the credential itself', async () => {
    const { credential, session } = await withTwo();
    const answer = await signed(revoke(credential.id), session);
    expectProblem(answer, 401, 'WALLET_SIGNATURE_INVALID');
  });

  it('leaves the only one, which the first call says', async () => {
    const { credential } = await walletWithSession(client);
    expectProblem(await revoke(credential.id)(), 400, 'INVALID_INPUT');
  });

  it('leaves one of two that revoke each other at once', async () => {
    const { accountId, credential, oauth, session, subject } = await withTwo();
    const key = newClientKey();
    const proof = { oidcToken: await oidcToken(client, subject), clientPublicKey: key.publicKey };
    const other = await sessionOf(expectStatus(await verify(client, oauth.id, proof), 200), key.privateKey);
    const [one, two] = [await challengeFor(revoke(oauth.id)), await challengeFor(revoke(credential.id))];
    const answers = await Promise.all([
      revoke(oauth.id)(stamped(one, session)),
      revoke(credential.id)(stamped(two, other)),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await listCredentials(client, accountId)).toHaveLength(1);
  });

  it('is not for another platform', async () => {
    const { credential } = await withTwo();
    const answer = await beside.client.delete(`/auth/credentials/${credential.id}`);
    expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
  });
});

describe('a wallet', () => {
  it('of a customer who was deleted can be read, and nothing else', async () => {
    const { accountId, customer, credential, session } = await walletWithSession(client);
    expectStatus(await client.delete(`/customers/${customer.id}`), 200);
    const { publicKey: clientPublicKey } = newClientKey();
    for (const answer of [
      await client.post(`/auth/credentials/${credential.id}/challenge`),
      await verify(client, credential.id, { otp: '000000', clientPublicKey }),
      await client.delete(`/auth/credentials/${credential.id}`),
      await client.delete(`/auth/sessions/${session.id}`),
      await client.post(`/auth/sessions/${session.id}/refresh`, { clientPublicKey }),
      await client.post(`/internal-accounts/${accountId}/export`, { clientPublicKey }),
      await client.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }),
      await addCredential(client, accountId, await byToken())(),
    ])
      expectProblem(answer, 410, 'CUSTOMER_DELETED');
    expect(await listCredentials(client, accountId)).toHaveLength(1);
  });

  it('gets the address that was signed for, not one that the customer has since', async () => {
    const { accountId, customer } = await createWallet(client, { email: `${randomUUID()}@example.com` });
    const subject = randomUUID();
    const oauth = expectStatus(await addCredential(client, accountId, await byToken(subject))(), 201);
    const key = newClientKey();
    const proof = { oidcToken: await oidcToken(client, subject), clientPublicKey: key.publicKey };
    const session = await sessionOf(expectStatus(await verify(client, oauth.id, proof), 200), key.privateKey);
    const call = addCredential(client, accountId, byEmail);
    const challenge = await challengeFor(call);
    const email = `${randomUUID()}@example.com`;
    expectStatus(await client.patch(`/customers/${customer.id}`, { email }), 200);
    expectProblem(await call(stamped(challenge, session)), 401, 'WALLET_SIGNATURE_BODY_MISMATCH');
  });

  it('is asked for a signature before anything else is looked at or kept', async () => {
    const { accountId, session } = await walletWithSession(client);
    const before = await mailsOf(client);
    const forged = { 'request-id': `Request:${randomUUID()}`, 'service-wallet-signature': 'garbage' };
    for (const body of [byEmail, await byToken(), { type: 'OAUTH', oidcToken: 'noise' }])
      expectProblem(await addCredential(client, accountId, body)(forged), 401, 'UNAUTHORIZED');
    expect(await mailsOf(client)).toEqual(before);
    const call = addCredential(client, accountId, await byToken());
    const headers = stamped(await challengeFor(call), session);
    expectStatus(await call(headers), 201);
    expectProblem(await call(headers), 401, 'UNAUTHORIZED');
  });

  it('sends a code whatever the body of /challenge says', async () => {
    const { credential } = await walletWithSession(client);
    const path = `/auth/credentials/${credential.id}/challenge`;
    expectStatus(await client.post(path, { clientPublicKey: 'junk', more: [1] }), 200);
  });
});
