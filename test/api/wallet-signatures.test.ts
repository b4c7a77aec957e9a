import { describe, expect, it } from 'vitest';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import {
  challengeFor,
  revokeSession,
  setPrivacy,
  signed,
  signInByEmail,
  stamped,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;

describe('a challenge', () => {
  it('can be answered for nearly five minutes', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call = setPrivacy(client, accountId);
    const challenge = await challengeFor(call);
    clock.advance(290_000);
    expectStatus(await call(stamped(challenge, session)), 200);
  });

  it('stays good when a hundred wait for an answer, and no more are asked for', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call = setPrivacy(client, accountId);
    const oldest = await challengeFor(call);
    const newer = await together(100, () => call());
    expect(countByStatus(newer)).toEqual({ 202: 99, 429: 1 });
    expectStatus(await call(stamped(oldest, session)), 200);
  });
});

describe('the signature of a session', () => {
  it('is refused once the session has expired', async () => {
    const { accountId, session, credential } = await walletWithSession(client);
    clock.advance(890_000);
    const call = setPrivacy(client, accountId);
    const challenge = await challengeFor(call);
    clock.advance(10_000);
    expectProblem(await call(stamped(challenge, session)), 401, 'WALLET_SIGNATURE_INVALID');
    const next = await signInByEmail(client, credential.id);
    expectStatus(await call(stamped(challenge, next)), 200);
  });

  it('is refused once the session was revoked', async () => {
    const { accountId, session, credential } = await walletWithSession(client);
    const other = await signInByEmail(client, credential.id);
    const call = setPrivacy(client, accountId);
    const challenge = await challengeFor(call);
    expectStatus(await signed(revokeSession(client, session.id), other), 204);
    expectProblem(await call(stamped(challenge, session)), 401, 'WALLET_SIGNATURE_INVALID');
  });

  it('is refused with the reason in the error as well as in the details', async () => {
    const { accountId } = await walletWithSession(client);
    const answer = await setPrivacy(client, accountId)({ 'request-id': 'x' });
    const problem = expectProblem(answer, 401, 'WALLET_SIGNATURE_MISSING');
    expect(problem.reason).toBe('SIGNATURE_MISSING');
    expect(problem.details.reason).toBe('SIGNATURE_MISSING');
  });
});

describe('the token of a signed request', () => {
  it('needs one permission to act', async () => {
    const { accountId } = await walletWithSession(client);
    const viewer = await clientWith(service, ['VIEW']);
    const problem = expectProblem(await setPrivacy(viewer, accountId)(), 403, 'FORBIDDEN');
    expect(problem.details.requiredPermission).toEqual(['TRANSACT', 'MANAGE']);
  });

  it.each(['TRANSACT', 'MANAGE'])('may have the permission %s', async (permission) => {
    const { accountId } = await walletWithSession(client);
    const able = await clientWith(service, [permission]);
    expect((await setPrivacy(able, accountId)()).status).toBe(202);
  });
});

describe('the stream of a wallet', () => {
  it('has no secret of a session', async () => {
    const { accountId, session } = await walletWithSession(client);
    expectStatus(await signed(setPrivacy(client, accountId), session), 200);
    const [{ text }] = (await query<{ text: string }>(
      service.databaseUrl,
      `select string_agg(data::text, ' ') as text from daybook_log.events where stream = $1`,
      [`wallet-${accountId.split(':')[1]}`],
    )) as [{ text: string }];
    expect(text).toContain(session.id);
    expect(text).not.toContain(session.privateKey);
    expect(text).not.toContain(session.body.encryptedSessionSigningKey);
  });
});
