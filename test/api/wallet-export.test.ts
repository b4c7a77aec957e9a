import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import { accountOf, expectStatus } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { newClientKey, openBundle } from '../support/wallets/wallet-client.ts';
import {
  createWallet,
  exportWallet,
  type Session,
  setPrivacy,
  signed,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const { publicKey } = newClientKey();

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

describe('the privacy of a wallet', () => {
  const shownTo = async ({ customer, accountId }: { customer: Json; accountId: string }) => {
    const answer = await client.get('/customers/internal-accounts', { customerId: customer.id });
    return expectStatus(answer, 200).data.find(({ id }: Json) => id === accountId);
  };

  it('is off at first', async () => {
    expect(await shownTo(await walletWithSession(client))).toMatchObject({ privateEnabled: false });
  });

  it('is shown by the account once it is on', async () => {
    const wallet = await walletWithSession(client);
    const { accountId, session } = wallet;
    const body = expectStatus(await signed(setPrivacy(client, accountId, true), session), 200);
    expect(body).toMatchObject({ id: accountId, type: 'EMBEDDED_WALLET', privateEnabled: true });
    expect(body).toEqual(await shownTo(wallet));
  });

  it('can be turned off again', async () => {
    const { accountId, session } = await walletWithSession(client);
    expectStatus(await signed(setPrivacy(client, accountId, true), session), 200);
    const body = expectStatus(await signed(setPrivacy(client, accountId, false), session), 200);
    expect(body).toMatchObject({ privateEnabled: false });
  });
});

describe('the export of a wallet', () => {
  type Wallet = { readonly accountId: string; readonly session: Session };
  /** The recovery phrase, as the holder of a new client key reads it. */
  async function phraseOf({ accountId, session }: Wallet, by = client): Promise<string> {
    const key = newClientKey();
    const call = exportWallet(by, accountId, key.publicKey);
    const { id, encryptedWalletCredentials } = expectStatus(await signed(call, session), 200);
    expect(id).toBe(accountId);
    return Buffer.from(await openBundle(encryptedWalletCredentials, key.privateKey)).toString();
  }

  it('gives out a recovery phrase of 24 words', async () => {
    const phrase = await phraseOf(await walletWithSession(client));
    expect(phrase.split(' ')).toHaveLength(24);
  });

  it('gives one out before any worker has seen the wallet', async () => {
    const variables = { DAYBOOK_ROLES: 'api,projector' };
    const idle = await startTestService({ variables });
    onTestFinished(() => idle.stop());
    const wallet = await walletWithSession(idle.client);
    const made = () => query(idle.databaseUrl, 'select from daybook.wallet_phrases');
    expect(await made()).toEqual([]);
    const phrase = await phraseOf(wallet, idle.client);
    expect(phrase.split(' ')).toHaveLength(24);
    expect(await phraseOf(wallet, idle.client)).toBe(phrase);
    expect(await made()).toHaveLength(1);
  });

  it('gives out the same recovery phrase each time', async () => {
    const wallet = await walletWithSession(client);
    expect(await phraseOf(wallet)).toBe(await phraseOf(wallet));
  });

  it('gives out a recovery phrase that no other wallet has', async () => {
    const [one, other] = [await walletWithSession(client), await walletWithSession(client)];
    expect(await phraseOf(one)).not.toBe(await phraseOf(other));
  });

  it('never gives out another phrase in place of one that was lost', async () => {
    const { accountId, session } = await walletWithSession(client);
    const call = exportWallet(client, accountId, publicKey);
    expectStatus(await signed(call, session), 200);
    await query(service.databaseUrl, 'delete from daybook.wallet_phrases where id = $1', [accountId]);
    expectProblem(await signed(call, session), 500, 'INTERNAL_ERROR');
  });

  it.each([
    ['compressed', `02${'0'.repeat(64)}`],
    ['off the curve', `04${'1'.repeat(128)}`],
    ['missing', undefined],
  ])('refuses a client key that is %s', async (_what, clientPublicKey) => {
    const { accountId } = await walletWithSession(client);
    expectProblem(await exportWallet(client, accountId, clientPublicKey)(), 400, 'INVALID_INPUT');
  });
});

describe.each([
  ['the privacy', (accountId: string) => setPrivacy(client, accountId)],
  ['the export', (accountId: string) => exportWallet(client, accountId, publicKey)],
])('%s of what is not a wallet here', (_what, callFor) => {
  it('is refused for an account of another type', async () => {
    const { customer } = await createWallet(client);
    const { id } = await accountOf(client, customer.id);
    expectProblem(await callFor(id)(), 400, 'INVALID_INPUT');
  });

  it('is refused for an account that is not there', async () => {
    expectProblem(await callFor(`InternalAccount:${randomUUID()}`)(), 404, 'REFERENCE_NOT_FOUND');
  });

  it('is refused for a wallet of another platform', async () => {
    const { accountId } = await createWallet(beside.client);
    expectProblem(await callFor(accountId)(), 404, 'REFERENCE_NOT_FOUND');
  });
});
