import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { newClientKey } from '../support/wallets/wallet-client.ts';
import {
  challengeFor,
  listCredentials,
  listSessions,
  oidcToken,
  revokeCredential,
  signed,
  signInByToken,
  stamped,
  verify,
  walletWithSession,
  walletWithTwoCredentials,
} from '../support/wallets/wallets.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

describe('revoking a credential', () => {
  it('takes a session of another credential', async () => {
    const { accountId, credential, oauth, session } = await walletWithTwoCredentials(client);
    const call = revokeCredential(client, oauth.id);
    const challenge = await challengeFor(call);
    expect(challenge.type).toBe('OAUTH');
    expectStatus(await call(stamped(challenge, session)), 204);
    expect(await listCredentials(client, accountId)).toEqual([credential]);
    // A Request-Id is good once, whatever has become of what it was for.
    const again = expectProblem(await call(stamped(challenge, session)), 401, 'UNAUTHORIZED');
    expect(again.reason).toBe('REQUEST_ID_UNKNOWN');
  });

  it('is refused to a session of the credential itself', async () => {
    const { credential, session } = await walletWithTwoCredentials(client);
    const answer = await signed(revokeCredential(client, credential.id), session);
    expectProblem(answer, 401, 'WALLET_SIGNATURE_INVALID');
  });

  it('is refused on the first call for the only one', async () => {
    const { credential } = await walletWithSession(client);
    expectProblem(await revokeCredential(client, credential.id)(), 400, 'INVALID_INPUT');
  });

  it('leaves one of two that revoke each other at once', async () => {
    const { accountId, credential, oauth, session, subject } = await walletWithTwoCredentials(client);
    const other = await signInByToken(client, oauth.id, subject);
    const calls = [revokeCredential(client, oauth.id), revokeCredential(client, credential.id)] as const;
    const [one, two] = [await challengeFor(calls[0]), await challengeFor(calls[1])];
    const answers = await Promise.all([calls[0](stamped(one, session)), calls[1](stamped(two, other))]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await listCredentials(client, accountId)).toHaveLength(1);
  });

  it('finds no credential of another platform', async () => {
    const { credential } = await walletWithTwoCredentials(client);
    const answer = await revokeCredential(beside.client, credential.id)();
    expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
  });
});

describe('a credential that was revoked', () => {
  it('has no session any more', async () => {
    const { accountId, oauth, session, subject } = await walletWithTwoCredentials(client);
    await signInByToken(client, oauth.id, subject);
    expectStatus(await signed(revokeCredential(client, oauth.id), session), 204);
    expect((await listSessions(client, accountId)).map(({ id }) => id)).toEqual([session.id]);
  });

  it('is not found', async () => {
    const { oauth, session, subject } = await walletWithTwoCredentials(client);
    expectStatus(await signed(revokeCredential(client, oauth.id), session), 204);
    const { publicKey: clientPublicKey } = newClientKey();
    const proof = { oidcToken: await oidcToken(client, subject), clientPublicKey };
    expectProblem(await revokeCredential(client, oauth.id)(), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await verify(client, oauth.id, proof), 404, 'REFERENCE_NOT_FOUND');
  });
});
