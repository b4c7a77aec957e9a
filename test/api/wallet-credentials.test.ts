import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { accountOf, expectStatus } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { newClientKey } from '../support/wallets/wallet-client.ts';
import {
  addCredential,
  addEmail,
  byToken,
  createWallet,
  exportWallet,
  listCredentials,
  listSessions,
  mailsOf,
  refreshSession,
  revokeCredential,
  revokeSession,
  setPrivacy,
  verify,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

const byEmail = { type: 'EMAIL_OTP' };

describe('the first credential of a wallet', () => {
  it('is registered at once', async () => {
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
  });

  it('has its code mailed', async () => {
    await addEmail(client, await createWallet(client, { email: 'mailed@example.com' }));
    const mails = (await mailsOf(client)).filter(({ to }) => to === 'mailed@example.com');
    expect(mails).toHaveLength(1);
    expect(mails[0].text).toMatch(/\b\d{6}\b/);
  });

  it('starts no session', async () => {
    const wallet = await createWallet(client);
    await addEmail(client, wallet);
    expect(await listSessions(client, wallet.accountId)).toEqual([]);
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

  it.each([
    ['the e-mail claim', { email: 'claim@example.com' }, 'claim@example.com'],
    ['the subject where there is no such claim', {}, 'subject-1'],
  ])('can be an OAUTH one, named by %s', async (_what, claims, nickname) => {
    const { accountId } = await createWallet(client);
    const call = addCredential(client, accountId, await byToken(client, 'subject-1', claims));
    expect(expectStatus(await call(), 201)).toMatchObject({ type: 'OAUTH', nickname });
  });

  it('is one of 20 OAUTH ones that come at once; the others get a challenge', async () => {
    const { accountId } = await createWallet(client);
    const bodies = await Promise.all(Array.from({ length: 20 }, () => byToken(client)));
    const answers = await Promise.all(bodies.map((body) => addCredential(client, accountId, body)()));
    expect(countByStatus(answers)).toEqual({ 201: 1, 202: 19 });
  });

  it('is one of 20 e-mail ones that come at once; the others are refused', async () => {
    const { accountId } = await createWallet(client);
    const answers = await together(20, () => addCredential(client, accountId, byEmail)());
    expect(countByStatus(answers)).toEqual({ 201: 1, 400: 19 });
    expect(await listCredentials(client, accountId)).toHaveLength(1);
  });
});

describe('a credential', () => {
  it('is refused for an account that is no wallet', async () => {
    const { customer } = await createWallet(client);
    const { id } = await accountOf(client, customer.id);
    const answer = await addCredential(client, id, byEmail)();
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['accountId']);
  });

  it('is refused for a wallet of another platform', async () => {
    const { accountId } = await createWallet(client);
    expectProblem(await addCredential(beside.client, accountId, byEmail)(), 404, 'REFERENCE_NOT_FOUND');
  });

  it('is refused for an account that is not there', async () => {
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
  ])('is refused with each field that is wrong in %j', async (body, fields) => {
    const { accountId } = await createWallet(client);
    const problem = expectProblem(await addCredential(client, accountId, body)(), 400, 'INVALID_INPUT');
    if (fields) expect(namedFields(problem)).toEqual(fields);
  });
});

describe('the list of credentials', () => {
  it('is empty for a wallet of another platform', async () => {
    const { accountId } = await walletWithSession(client);
    expect(await listCredentials(beside.client, accountId)).toEqual([]);
  });

  it('is empty for an account that is not there', async () => {
    expect(await listCredentials(client, `InternalAccount:${randomUUID()}`)).toEqual([]);
  });

  it.each([{}, { accountId: 'x' }, { accountId: `Customer:${randomUUID()}` }])(
    'needs an account id, not %j, as that of sessions does',
    async (query) => {
      expectProblem(await client.get('/auth/credentials', query), 400, 'INVALID_INPUT');
      expectProblem(await client.get('/auth/sessions', query), 400, 'INVALID_INPUT');
    },
  );
});

describe('the wallet of a customer who was deleted', () => {
  const deserted = async () => {
    const wallet = await walletWithSession(client);
    expectStatus(await client.delete(`/customers/${wallet.customer.id}`), 200);
    return wallet;
  };

  it('can be read', async () => {
    const { accountId } = await deserted();
    expect(await listCredentials(client, accountId)).toHaveLength(1);
  });

  it('takes no request that would change it', async () => {
    const { accountId, credential, session } = await deserted();
    const { publicKey: clientPublicKey } = newClientKey();
    for (const answer of [
      await client.post(`/auth/credentials/${credential.id}/challenge`),
      await verify(client, credential.id, { otp: '000000', clientPublicKey }),
      await revokeCredential(client, credential.id)(),
      await revokeSession(client, session.id)(),
      await refreshSession(client, session.id, clientPublicKey)(),
      await exportWallet(client, accountId, clientPublicKey)(),
      await setPrivacy(client, accountId)(),
      await addCredential(client, accountId, await byToken(client))(),
    ])
      expectProblem(answer, 410, 'CUSTOMER_DELETED');
  });
});
