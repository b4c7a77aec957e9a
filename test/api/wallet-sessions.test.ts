import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { newClientKey } from '../support/wallets/wallet-client.ts';
import {
  challengeFor,
  listSessions,
  refreshSession,
  revokeSession,
  sessionOf,
  setPrivacy,
  signed,
  signInByEmail,
  stamped,
  verify,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const clock = movableClock();
const { publicKey } = newClientKey();

const service = serviceOfTests({ clock });
const { client } = service;
const beside = besideOfTests(service);

describe('a session', () => {
  it('is listed without its key', async () => {
    const { accountId, session } = await walletWithSession(client);
    const { encryptedSessionSigningKey, ...listed } = session.body;
    expect(encryptedSessionSigningKey).toBeTypeOf('string');
    expect(await listSessions(client, accountId)).toEqual([listed]);
  });

  it('says that it lasts fifteen minutes', async () => {
    const { session } = await walletWithSession(client);
    const { createdAt, expiresAt } = session.body;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(900_000);
  });

  it('is listed for fifteen minutes', async () => {
    const { accountId } = await walletWithSession(client);
    clock.advance(890_000);
    expect(await listSessions(client, accountId)).toHaveLength(1);
    clock.advance(10_000);
    expect(await listSessions(client, accountId)).toEqual([]);
  });

  it('is not found after fifteen minutes', async () => {
    const { session } = await walletWithSession(client);
    clock.advance(900_000);
    for (const call of [revokeSession(client, session.id), refreshSession(client, session.id, publicKey)])
      expectProblem(await call(), 404, 'REFERENCE_NOT_FOUND');
  });
});

describe('refreshing a session', () => {
  it('asks for a signature over the new client key', async () => {
    const { session } = await walletWithSession(client);
    const challenge = await challengeFor(refreshSession(client, session.id, publicKey));
    expect(challenge.type).toBeUndefined();
    const payload = JSON.parse(Buffer.from(challenge.payloadToSign, 'base64').toString());
    expect(payload).toMatchObject({ operation: 'refreshSession', clientPublicKey: publicKey });
  });

  it('starts a further one, while the old one goes on', async () => {
    const { accountId, session } = await walletWithSession(client);
    const key = newClientKey();
    const refreshed = await signed(refreshSession(client, session.id, key.publicKey), session);
    const next = await sessionOf(expectStatus(refreshed, 201), key.privateKey);
    expect(next.id).not.toBe(session.id);
    for (const one of [session, next]) expectStatus(await signed(setPrivacy(client, accountId), one), 200);
  });

  it('takes the key of that session', async () => {
    const { session, credential } = await walletWithSession(client);
    const other = await signInByEmail(client, credential.id);
    const answer = await signed(refreshSession(client, session.id, publicKey), other);
    expectProblem(answer, 401, 'WALLET_SIGNATURE_INVALID');
  });
});

describe('revoking a session', () => {
  it('is signed for by any session of the wallet', async () => {
    const { accountId, session, credential } = await walletWithSession(client);
    const other = await signInByEmail(client, credential.id);
    const call = revokeSession(client, session.id);
    const challenge = await challengeFor(call);
    expect(challenge.type).toBe('EMAIL_OTP');
    expectStatus(await call(stamped(challenge, other)), 204);
    const again = expectProblem(await call(stamped(challenge, other)), 401, 'UNAUTHORIZED');
    expect(again.reason).toBe('REQUEST_ID_UNKNOWN');
    expectProblem(await call(), 404, 'REFERENCE_NOT_FOUND');
    expect((await listSessions(client, accountId)).map(({ id }) => id)).toEqual([other.id]);
  });
});

describe('a session whose time is over', () => {
  it('is not there, for a challenge that is open as well', async () => {
    const { session } = await walletWithSession(client);
    clock.advance(890_000);
    const call = revokeSession(client, session.id);
    const challenge = await challengeFor(call);
    clock.advance(10_000);
    expectProblem(await call(stamped(challenge, session)), 404, 'REFERENCE_NOT_FOUND');
    const otherId = { ...challenge, requestId: 'Request:00000000-0000-4000-8000-000000000000' };
    expectProblem(await call(stamped(otherId, session)), 401, 'UNAUTHORIZED');
  });

  it('is not there as long as the challenge is open, whoever signs in meanwhile', async () => {
    const { session, credential } = await walletWithSession(client);
    clock.advance(890_000);
    const other = await signInByEmail(client, credential.id);
    const call = revokeSession(client, session.id);
    const challenge = await challengeFor(call);
    clock.advance(10_000);
    const answered = () => call(stamped(challenge, other));
    expectProblem(await answered(), 404, 'REFERENCE_NOT_FOUND');
    await signInByEmail(client, credential.id);
    expectProblem(await answered(), 404, 'REFERENCE_NOT_FOUND');
    clock.advance(289_000);
    await signInByEmail(client, credential.id);
    expectProblem(await answered(), 404, 'REFERENCE_NOT_FOUND');
  });

  it('is forgotten by a later one, once no challenge for it can be open', async () => {
    const { session, credential } = await walletWithSession(client);
    const known = () =>
      query(service.databaseUrl, 'select id from daybook.wallet_sessions where id = $1', [session.id]);
    clock.advance(1_199_000);
    await signInByEmail(client, credential.id);
    expect(await known()).toHaveLength(1);
    clock.advance(1_000);
    await signInByEmail(client, credential.id);
    await eventually(known, ({ length }) => length === 0);
  });
});

describe('the sessions of a wallet', () => {
  it('are not found by another platform', async () => {
    const { session, credential } = await walletWithSession(client);
    const their = beside.client;
    for (const answer of [
      await revokeSession(their, session.id)(),
      await refreshSession(their, session.id, publicKey)(),
      await their.post(`/auth/credentials/${credential.id}/challenge`),
      await verify(their, credential.id, { otp: '000000', clientPublicKey: publicKey }),
    ])
      expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
  });

  it('are not listed for another platform', async () => {
    const { accountId } = await walletWithSession(client);
    expect(await listSessions(beside.client, accountId)).toEqual([]);
  });
});
