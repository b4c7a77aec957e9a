import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Client, Json } from '../support/client.ts';
import { countByStatus, together } from '../support/concurrency.ts';
import { query } from '../support/database.ts';
import { accountOf, expectStatus } from '../support/flows.ts';
import { startBeside } from '../support/platforms.ts';
import { expectProblem } from '../support/problems.ts';
import { clientWith, startTestService, type TestService } from '../support/service.ts';
import { softwareAuthenticator } from '../support/software-authenticator.ts';
import { shiftableClock } from '../support/time.ts';
import { encodeStamp, newClientKey, openBundle, stampOf, twinOf } from '../support/wallet-client.ts';
import {
  addCredential,
  addEmail,
  type Call,
  challengeFor,
  createWallet,
  oidcToken,
  type Session,
  type SignedHeaders,
  sessionOf,
  signed,
  signInByEmail,
  stamped,
  verify,
  walletWithSession,
} from '../support/wallets.ts';

const clock = shiftableClock();
let service: TestService;
let beside: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService({ clock });
  beside = await startBeside(service);
  client = service.client;
});
afterAll(async () => {
  await beside.stop();
  await service.stop();
});

type Signable = {
  readonly accountId: string;
  readonly session: Session;
  readonly credential: Json;
  /** A second credential, whose sessions are not `session`. */
  readonly oauth: Json;
};

async function signable(): Promise<Signable> {
  const wallet = await walletWithSession(client);
  const body = { type: 'OAUTH', oidcToken: await oidcToken(client, randomUUID()) };
  const oauth = expectStatus(
    await signed(addCredential(client, wallet.accountId, body), wallet.session),
    201,
  );
  return { ...wallet, oauth };
}

type Operation = {
  readonly name: string;
  readonly success: number;
  /** A call of the operation on this wallet; `other` changes what can be changed in its body. */
  readonly on: (wallet: Signable, other?: boolean) => Promise<Call>;
  readonly hasBody: boolean;
};

const site = { rpId: 'example.test', origin: 'https://wallet.example.test' };
const keys = [newClientKey(), newClientKey()] as const;
const keyBody = (other = false) => ({ clientPublicKey: keys[other ? 1 : 0].publicKey });

const operations: readonly Operation[] = [
  {
    name: 'add a credential',
    success: 201,
    hasBody: true,
    async on({ accountId }, other) {
      const challenge = randomBytes(32).toString('base64url');
      const attestation = softwareAuthenticator(site).create(challenge);
      const body = { type: 'PASSKEY', nickname: other ? 'tablet' : 'phone', challenge, attestation };
      return addCredential(client, accountId, body);
    },
  },
  {
    name: 'revoke a credential',
    success: 204,
    hasBody: false,
    on:
      async ({ oauth }) =>
      (headers) =>
        client.delete(`/auth/credentials/${oauth.id}`, headers),
  },
  {
    name: 'revoke a session',
    success: 204,
    hasBody: false,
    on:
      async ({ session }) =>
      (headers) =>
        client.delete(`/auth/sessions/${session.id}`, headers),
  },
  {
    name: 'refresh a session',
    success: 201,
    hasBody: true,
    on:
      async ({ session }, other) =>
      (headers) =>
        client.post(`/auth/sessions/${session.id}/refresh`, keyBody(other), headers),
  },
  {
    name: 'export the wallet',
    success: 200,
    hasBody: true,
    on:
      async ({ accountId }, other) =>
      (headers) =>
        client.post(`/internal-accounts/${accountId}/export`, keyBody(other), headers),
  },
  {
    name: 'change its privacy',
    success: 200,
    hasBody: true,
    on:
      async ({ accountId }, other) =>
      (headers) =>
        client.patch(`/internal-accounts/${accountId}`, { privateEnabled: !other }, headers),
  },
];

const onlyStamp = ({ 'request-id': _left, ...rest }: SignedHeaders): SignedHeaders => rest;
const onlyRequest = ({ 'service-wallet-signature': _left, ...rest }: SignedHeaders): SignedHeaders => rest;

describe.each(operations)('a signed request to $name', ({ on, success, hasBody }) => {
  let wallet: Signable;
  let call: Call;
  let challenge: Json;
  beforeAll(async () => {
    wallet = await signable();
    call = await on(wallet);
    challenge = await challengeFor(call);
  });
  const sent = (change: SignedHeaders) => call({ ...stamped(challenge, wallet.session), ...change });
  const stampWith = (members: object) => {
    const stamp = stampOf(wallet.session.privateKey, challenge.payloadToSign);
    const honest = JSON.parse(Buffer.from(stamp, 'base64url').toString());
    return sent({ 'service-wallet-signature': encodeStamp({ ...honest, ...members }) });
  };

  it('names what is missing', async () => {
    const headers = stamped(challenge, wallet.session);
    expectProblem(await call(onlyStamp(headers)), 401, 'REQUEST_ID_MISSING');
    expectProblem(await call(onlyRequest(headers)), 401, 'WALLET_SIGNATURE_MISSING');
  });

  it.each([
    ['unknown', () => `Request:${randomUUID()}`],
    ['malformed', () => 'x'],
    ['empty', () => ' '],
    ['very long', () => 'x'.repeat(3000)],
  ])('refuses a Request-Id that is %s', async (_what, id) => {
    const answer = await sent({ 'request-id': id() });
    expect(answer.status).toBe(401);
  });

  it('refuses the Request-Id of another operation, resource or wallet', async () => {
    const other = await signable();
    const foreign = operations.filter((one) => one.on !== on);
    const calls = await Promise.all([...foreign.map((one) => one.on(wallet)), on(other)]);
    for (const one of calls) {
      const { requestId } = await challengeFor(one);
      expectProblem(await sent({ 'request-id': requestId }), 401, 'UNAUTHORIZED');
    }
  });

  if (hasBody) {
    it('refuses another body', async () => {
      const otherCall = await on(wallet, true);
      const answer = await otherCall(stamped(challenge, wallet.session));
      expectProblem(answer, 401, 'WALLET_SIGNATURE_BODY_MISMATCH');
    });
  }

  it.each([
    ['nothing', ''],
    ['a bare signature', 'MEUCIQ'],
    ['noise', '!!!'],
    ['too much', 'A'.repeat(1025)],
  ])('refuses as malformed: %s', async (_what, stamp) => {
    const answer = await sent({ 'service-wallet-signature': stamp || ' ' });
    expectProblem(answer, 401, 'WALLET_SIGNATURE_MALFORMED');
  });

  it.each([
    ['another scheme', { scheme: 'P256_ECDSA_SHA256' }],
    ['an uncompressed key', { publicKey: keys[0].publicKey }],
    ['a signature that is not DER', { signature: '00'.repeat(64) }],
  ])('refuses as malformed: %s', async (_what, members) => {
    expectProblem(await stampWith(members), 401, 'WALLET_SIGNATURE_MALFORMED');
  });

  it('refuses a key that is of no session, though the signature is right', async () => {
    const stranger = newClientKey();
    const headers = stamped(challenge, { privateKey: stranger.privateKey });
    expectProblem(await call(headers), 401, 'WALLET_SIGNATURE_INVALID');
  });

  it('refuses a session of another wallet', async () => {
    const { session } = await walletWithSession(client);
    expectProblem(await call(stamped(challenge, session)), 401, 'WALLET_SIGNATURE_INVALID');
  });

  it.each([
    ['the decoded text', (text: string) => Buffer.from(text, 'base64').toString()],
    ['the text with a line break', (text: string) => `${text}\n`],
    ['another text', () => 'hello'],
  ])('refuses a signature over %s', async (_what, change) => {
    const stamp = stampOf(wallet.session.privateKey, change(challenge.payloadToSign));
    expectProblem(await sent({ 'service-wallet-signature': stamp }), 401, 'WALLET_SIGNATURE_INVALID');
  });

  it('has spent nothing by all these refusals, and works', async () => {
    expectStatus(await call(stamped(challenge, wallet.session)), success);
  });

  it('works once: the same stamp, its twin and a new one are refused', async () => {
    const again = await signable();
    const once = await on(again);
    const fresh = await challengeFor(once);
    const headers = stamped(fresh, again.session);
    expectStatus(await once(headers), success);
    const twin = {
      ...headers,
      'service-wallet-signature': twinOf(headers['service-wallet-signature'] ?? ''),
    };
    // What was revoked is not there any more.
    const refused = success === 204 ? 404 : 401;
    for (const repeat of [headers, twin, stamped(fresh, again.session)])
      expectProblem(await once(repeat), refused);
  });

  it('is won by one of 50 parallel retries', async () => {
    const again = await signable();
    const once = await on(again);
    const fresh = await challengeFor(once);
    const answers = await together(50, () => once(stamped(fresh, again.session)));
    const won = answers.filter(({ status }) => status === success);
    expect(won).toHaveLength(1);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
  });

  it('takes a stamp with a high s and one with a low s', async () => {
    const again = await signable();
    const once = await on(again);
    const fresh = await challengeFor(once);
    const headers = stamped(fresh, again.session);
    const twin = {
      ...headers,
      'service-wallet-signature': twinOf(headers['service-wallet-signature'] ?? ''),
    };
    expectStatus(await once(twin), success);
  });

  it('expires after five minutes', async () => {
    const again = await signable();
    const once = await on(again);
    const fresh = await challengeFor(once);
    clock.forward(300_000);
    const late = await once(stamped(fresh, again.session));
    expect(expectProblem(late, 401, 'UNAUTHORIZED').reason).toBe('REQUEST_EXPIRED');
  });
});

describe('the signature', () => {
  it('is refused once its session has expired', async () => {
    const { accountId, session, credential } = await walletWithSession(client);
    clock.forward(890_000);
    const call: Call = (headers) =>
      client.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, headers);
    const challenge = await challengeFor(call);
    clock.forward(10_000);
    expectProblem(await call(stamped(challenge, session)), 401, 'WALLET_SIGNATURE_INVALID');
    const next = await signInByEmail(client, credential.id);
    expectStatus(await call(stamped(challenge, next)), 200);
  });

  it('is refused once its session was revoked', async () => {
    const { accountId, session, credential } = await walletWithSession(client);
    const other = await signInByEmail(client, credential.id);
    const revoke: Call = (headers) => client.delete(`/auth/sessions/${session.id}`, headers);
    const call: Call = (headers) =>
      client.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, headers);
    const challenge = await challengeFor(call);
    expectStatus(await signed(revoke, other), 204);
    expectProblem(await call(stamped(challenge, session)), 401, 'WALLET_SIGNATURE_INVALID');
  });

  it('names its reason in the error as well as in the details', async () => {
    const { accountId } = await walletWithSession(client);
    const answer = await client.patch(
      `/internal-accounts/${accountId}`,
      { privateEnabled: true },
      { 'request-id': 'x' },
    );
    const problem = expectProblem(answer, 401, 'WALLET_SIGNATURE_MISSING');
    expect(problem.reason).toBe('SIGNATURE_MISSING');
    expect(problem.details.reason).toBe('SIGNATURE_MISSING');
  });

  it('needs a token that may act', async () => {
    const { accountId } = await walletWithSession(client);
    const viewer = await clientWith(service, ['VIEW']);
    const answer = await viewer.patch(`/internal-accounts/${accountId}`, { privateEnabled: true });
    expect(expectProblem(answer, 403, 'FORBIDDEN').details.requiredPermission).toEqual([
      'TRANSACT',
      'MANAGE',
    ]);
    for (const permission of ['TRANSACT', 'MANAGE']) {
      const able = await clientWith(service, [permission]);
      expect((await able.patch(`/internal-accounts/${accountId}`, { privateEnabled: true })).status).toBe(
        202,
      );
    }
  });
});

describe('a challenge', () => {
  it('can be answered for nearly five minutes', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call: Call = (headers) =>
      client.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, headers);
    const challenge = await challengeFor(call);
    clock.forward(290_000);
    expectStatus(await call(stamped(challenge, session)), 200);
  });
});

describe('privacy and export', () => {
  it('change what the account shows, for as long as it stays', async () => {
    const { accountId, customer, session } = await walletWithSession(client);
    const call =
      (privateEnabled: boolean): Call =>
      (headers) =>
        client.patch(`/internal-accounts/${accountId}`, { privateEnabled }, headers);
    const shown = async () =>
      (await client.get('/customers/internal-accounts', { customerId: customer.id })).body.data.find(
        ({ id }: Json) => id === accountId,
      );
    expect(await shown()).toMatchObject({ privateEnabled: false });
    const body = expectStatus(await signed(call(true), session), 200);
    expect(body).toEqual(await shown());
    expect(body).toMatchObject({ id: accountId, type: 'EMBEDDED_WALLET', privateEnabled: true });
    expect(expectStatus(await signed(call(false), session), 200)).toMatchObject({ privateEnabled: false });
  });

  it('give out the same recovery phrase each time, of 24 words, to whoever holds the client key', async () => {
    const { accountId, session } = await walletWithSession(client);
    const phrases = [];
    for (const { publicKey: clientPublicKey, privateKey } of [newClientKey(), newClientKey()]) {
      const call: Call = (headers) =>
        client.post(`/internal-accounts/${accountId}/export`, { clientPublicKey }, headers);
      const { id, encryptedWalletCredentials } = expectStatus(await signed(call, session), 200);
      expect(id).toBe(accountId);
      phrases.push(Buffer.from(await openBundle(encryptedWalletCredentials, privateKey)).toString());
    }
    expect(phrases[0]).toBe(phrases[1]);
    expect(phrases[0]?.split(' ')).toHaveLength(24);
    const { accountId: other, session: theirs } = await walletWithSession(client);
    const key = newClientKey();
    const call: Call = (headers) =>
      client.post(`/internal-accounts/${other}/export`, { clientPublicKey: key.publicKey }, headers);
    const { encryptedWalletCredentials } = expectStatus(await signed(call, theirs), 200);
    expect(Buffer.from(await openBundle(encryptedWalletCredentials, key.privateKey)).toString()).not.toBe(
      phrases[0],
    );
  });

  it('never give out another phrase in place of one that was lost', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call: Call = (headers) => client.post(`/internal-accounts/${accountId}/export`, keyBody(), headers);
    expectStatus(await signed(call, session), 200);
    await query(service.databaseUrl, 'delete from daybook.wallet_phrases where id = $1', [accountId]);
    expectProblem(await signed(call, session), 500, 'INTERNAL_ERROR');
  });

  it.each([
    ['patch', (id: string) => client.patch(`/internal-accounts/${id}`, { privateEnabled: true })],
    ['export', (id: string) => client.post(`/internal-accounts/${id}/export`, keyBody())],
  ] as const)('are not for other accounts (%s)', async (_what, call: (id: string) => Promise<Answer>) => {
    const { customer } = await createWallet(client);
    expectProblem(await call((await accountOf(client, customer.id)).id), 400, 'INVALID_INPUT');
    expectProblem(await call(`InternalAccount:${randomUUID()}`), 404, 'REFERENCE_NOT_FOUND');
    const theirs = await createWallet(beside.client);
    expectProblem(await call(theirs.accountId), 404, 'REFERENCE_NOT_FOUND');
  });

  it.each([
    ['compressed', `02${'0'.repeat(64)}`],
    ['off the curve', `04${'1'.repeat(128)}`],
    ['missing', undefined],
  ])('need a client key that is one, not %s', async (_what, clientPublicKey) => {
    const { accountId } = await walletWithSession(client);
    const answer = await client.post(`/internal-accounts/${accountId}/export`, { clientPublicKey });
    expectProblem(answer, 400, 'INVALID_INPUT');
  });
});

describe('the stream of a wallet', () => {
  it('has no secret, and remembers at most a hundred unanswered challenges', async () => {
    const wallet = await createWallet(client);
    const { id } = await addEmail(client, wallet);
    const session = await signInByEmail(client, id);
    const call: Call = (headers) =>
      client.patch(`/internal-accounts/${wallet.accountId}`, { privateEnabled: true }, headers);
    const oldest = await challengeFor(call);
    const all = await together(100, () => call());
    expect(countByStatus(all)).toEqual({ 202: 100 });
    expectProblem(await call(stamped(oldest, session)), 401, 'UNAUTHORIZED');
    const [{ text }] = (await query<{ text: string }>(
      service.databaseUrl,
      `select string_agg(data::text, ' ') as text from daybook_log.events where stream = $1`,
      [`wallet-${wallet.accountId.split(':')[1]}`],
    )) as [{ text: string }];
    expect(text).not.toContain(session.privateKey);
    expect(text).not.toContain(session.body.encryptedSessionSigningKey);
  });
});

describe('sessions', () => {
  it('are listed without keys, and last fifteen minutes', async () => {
    const { accountId, session } = await walletWithSession(client);
    const { encryptedSessionSigningKey, ...listed } = session.body;
    expect(encryptedSessionSigningKey).toBeTypeOf('string');
    const list = async () => expectStatus(await client.get('/auth/sessions', { accountId }), 200).data;
    expect(await list()).toEqual([listed]);
    expect(Date.parse(listed.expiresAt) - Date.parse(listed.createdAt)).toBe(900_000);
    clock.forward(890_000);
    expect(await list()).toHaveLength(1);
    clock.forward(10_000);
    expect(await list()).toEqual([]);
    for (const answer of [
      await client.delete(`/auth/sessions/${session.id}`),
      await client.post(`/auth/sessions/${session.id}/refresh`, keyBody()),
    ])
      expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
  });

  it('are refreshed into a further one, while the old one goes on', async () => {
    const { accountId, session } = await walletWithSession(client);
    const key = newClientKey();
    const call: Call = (headers) =>
      client.post(`/auth/sessions/${session.id}/refresh`, { clientPublicKey: key.publicKey }, headers);
    const challenge = await challengeFor(call);
    expect(challenge.type).toBeUndefined();
    const payload = JSON.parse(Buffer.from(challenge.payloadToSign, 'base64').toString());
    expect(payload).toMatchObject({ operation: 'refreshSession', clientPublicKey: key.publicKey });
    const body = expectStatus(await call(stamped(challenge, session)), 201);
    const next = await sessionOf(body, key.privateKey);
    expect(next.id).not.toBe(session.id);
    const privacy: Call = (headers) =>
      client.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, headers);
    for (const one of [session, next]) expectStatus(await signed(privacy, one), 200);
  });

  it('are refreshed by their own key only', async () => {
    const { session, credential } = await walletWithSession(client);
    const other = await signInByEmail(client, credential.id);
    const call: Call = (headers) => client.post(`/auth/sessions/${session.id}/refresh`, keyBody(), headers);
    expectProblem(await signed(call, other), 401, 'WALLET_SIGNATURE_INVALID');
  });

  it('are revoked by any session of the wallet', async () => {
    const { accountId, session, credential } = await walletWithSession(client);
    const other = await signInByEmail(client, credential.id);
    const call: Call = (headers) => client.delete(`/auth/sessions/${session.id}`, headers);
    const challenge = await challengeFor(call);
    expect(challenge.type).toBe('EMAIL_OTP');
    expectStatus(await call(stamped(challenge, other)), 204);
    expectProblem(await call(), 404, 'REFERENCE_NOT_FOUND');
    const list = expectStatus(await client.get('/auth/sessions', { accountId }), 200).data;
    expect(list.map(({ id }: Json) => id)).toEqual([other.id]);
  });

  it('are not for another platform', async () => {
    const { accountId, session, credential } = await walletWithSession(client);
    const their = beside.client;
    for (const answer of [
      await their.delete(`/auth/sessions/${session.id}`),
      await their.post(`/auth/sessions/${session.id}/refresh`, keyBody()),
      await their.post(`/auth/credentials/${credential.id}/challenge`),
      await verify(their, credential.id, { otp: '000000', ...keyBody() }),
    ])
      expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
    expect(expectStatus(await their.get('/auth/sessions', { accountId }), 200)).toEqual({ data: [] });
  });
});
