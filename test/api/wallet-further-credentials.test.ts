import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import {
  addCredential,
  addEmail,
  byToken,
  challengeFor,
  createWallet,
  listCredentials,
  mailsOf,
  signed,
  signInByEmail,
  signInByToken,
  stamped,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;

const byEmail = { type: 'EMAIL_OTP' };

describe('a further credential', () => {
  it('needs the signature of a session', async () => {
    const { accountId, session } = await walletWithSession(client);
    const body = await byToken(client);
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
      addCredential(client, accountId, await byToken(client)),
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
  });

  it('has the time of a challenge where nothing that it shows is over earlier', async () => {
    const { accountId } = await createWallet(client);
    expectStatus(await addCredential(client, accountId, await byToken(client))(), 201);
    const { payloadToSign } = await challengeFor(addCredential(client, accountId, byEmail));
    const payload = JSON.parse(Buffer.from(payloadToSign, 'base64').toString());
    expect(Date.parse(payload.expiresAt) - Date.parse(payload.issuedAt)).toBe(300_000);
  });

  it('by a token has the time of the token, and begins anew after it', async () => {
    const { accountId, session } = await walletWithSession(client);
    const subject = randomUUID();
    const call = addCredential(client, accountId, await byToken(client, subject));
    const challenge = await challengeFor(call);
    const lifetimeMs = Date.parse(challenge.expiresAt) - clock.now().getTime();
    expect(lifetimeMs).toBeLessThanOrEqual(61_000);
    clock.advance(lifetimeMs);
    const { reason } = expectProblem(await call(stamped(challenge, session)), 401, 'UNAUTHORIZED');
    expect(reason).toBe('REQUEST_EXPIRED');
    const again = addCredential(client, accountId, await byToken(client, subject));
    expectStatus(await signed(again, session), 201);
  });

  it('sends its code by e-mail on the signed retry, not before', async () => {
    const { accountId } = await createWallet(client);
    const subject = randomUUID();
    const oauth = expectStatus(await addCredential(client, accountId, await byToken(client, subject))(), 201);
    const session = await signInByToken(client, oauth.id, subject);
    const email = `${randomUUID()}@example.com`;
    const mails = async () => (await mailsOf(client)).filter(({ to }) => to === email);
    const call = addCredential(client, accountId, { ...byEmail, email });
    const challenge = await challengeFor(call);
    expect(await mails()).toEqual([]);
    const added = expectStatus(await call(stamped(challenge, session)), 201);
    expect(await mails()).toHaveLength(1);
    await signInByEmail(client, added.id);
  });

  it('is refused on the first call when it is a second e-mail one', async () => {
    const { accountId } = await walletWithSession(client);
    const answer = await addCredential(client, accountId, byEmail)();
    expectProblem(answer, 400, 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS');
  });

  it('is asked for no address when it is a second e-mail one of a customer who has none', async () => {
    const wallet = await createWallet(client, { email: undefined });
    await addEmail(client, wallet, { email: 'own@example.com' });
    const answer = await addCredential(client, wallet.accountId, byEmail)();
    expectProblem(answer, 400, 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS');
  });

  it('is refused for an identity that has one', async () => {
    const { accountId, session } = await walletWithSession(client);
    const subject = randomUUID();
    expectStatus(
      await signed(addCredential(client, accountId, await byToken(client, subject)), session),
      201,
    );
    const again = addCredential(client, accountId, await byToken(client, subject));
    expectProblem(await again(), 400, 'INVALID_INPUT');
  });

  it('may be for the same subject of another audience', async () => {
    const { accountId, session } = await walletWithSession(client);
    const subject = randomUUID();
    expectStatus(
      await signed(addCredential(client, accountId, await byToken(client, subject)), session),
      201,
    );
    const elsewhere = addCredential(client, accountId, await byToken(client, subject, { audience: 'other' }));
    expectStatus(await signed(elsewhere, session), 201);
  });

  it('is refused on the retry when another one of its type came in between', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call = addCredential(client, accountId, await byToken(client, 'same-subject'));
    const [one, two] = [await challengeFor(call), await challengeFor(call)];
    expectStatus(await call(stamped(one, session)), 201);
    expectProblem(await call(stamped(two, session)), 400, 'INVALID_INPUT');
  });
});

describe('a request to add a credential', () => {
  it('is refused where the customer has another address than was signed for', async () => {
    const { accountId, customer } = await createWallet(client, { email: `${randomUUID()}@example.com` });
    const subject = randomUUID();
    const oauth = expectStatus(await addCredential(client, accountId, await byToken(client, subject))(), 201);
    const session = await signInByToken(client, oauth.id, subject);
    const call = addCredential(client, accountId, byEmail);
    const challenge = await challengeFor(call);
    const email = `${randomUUID()}@example.com`;
    expectStatus(await client.patch(`/customers/${customer.id}`, { email }), 200);
    expectProblem(await call(stamped(challenge, session)), 401, 'WALLET_SIGNATURE_BODY_MISMATCH');
  });

  it('is asked for a signature before its body is looked at', async () => {
    const { accountId } = await walletWithSession(client);
    const { accountId: without } = await createWallet(client, { email: undefined });
    const before = await mailsOf(client);
    const forged = { 'request-id': `Request:${randomUUID()}`, 'service-wallet-signature': 'garbage' };
    for (const body of [byEmail, await byToken(client), { type: 'OAUTH', oidcToken: 'noise' }])
      expectProblem(await addCredential(client, accountId, body)(forged), 401, 'UNAUTHORIZED');
    expectProblem(await addCredential(client, without, byEmail)(forged), 401, 'UNAUTHORIZED');
    expect(await mailsOf(client)).toEqual(before);
  });

  it('is refused when it comes again', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call = addCredential(client, accountId, await byToken(client));
    const headers = stamped(await challengeFor(call), session);
    expectStatus(await call(headers), 201);
    expectProblem(await call(headers), 401, 'UNAUTHORIZED');
  });
});
