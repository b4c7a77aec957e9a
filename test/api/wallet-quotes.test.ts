import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { eventually, expectStatus, fund, quoteBody, registerPayee } from '../support/resources/flows.ts';
import { newClientKey, stampOf, twinOf } from '../support/wallets/wallet-client.ts';
import {
  revokeSession,
  type Session,
  signed,
  signInByEmail,
  walletWithSession,
} from '../support/wallets/wallets.ts';

const service = serviceOfTests();
const { client } = service;

async function payable(amount = 5_000_000) {
  const wallet = await walletWithSession(client);
  await fund(client, wallet.accountId, 100_000_000);
  const payee = await registerPayee(client, { customerId: wallet.customer.id });
  const body = quoteBody(wallet.accountId, payee.id, { lockedCurrencyAmount: amount });
  const quote = expectStatus(await client.post('/quotes', body), 201);
  return { ...wallet, payee, quote, payload: payloadOf(quote) };
}

const payloadOf = (quote: Json): string => quote.paymentInstructions[0].accountOrWalletInfo.payloadToSign;
const execute = (quote: Json, headers: Readonly<Record<string, string>> = {}) =>
  client.post(`/quotes/${quote.id}/execute`, undefined, headers);
const executeSigned = (quote: Json, session: Pick<Session, 'privateKey'>, more: object = {}) =>
  execute(quote, { 'service-wallet-signature': stampOf(session.privateKey, payloadOf(quote)), ...more });
const balanceOf = async ({ customer, accountId }: { customer: Json; accountId: string }) => {
  const { data } = expectStatus(
    await client.get('/customers/internal-accounts', { customerId: customer.id }),
    200,
  );
  return data.find(({ id }: Json) => id === accountId).balance.amount;
};

describe('a quote that a wallet pays', () => {
  it('says what to sign', async () => {
    const { accountId, quote, payload } = await payable();
    expect(quote.paymentInstructions).toEqual([
      { accountOrWalletInfo: { accountType: 'EMBEDDED_WALLET', payloadToSign: payload } },
    ]);
    expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toEqual({
      quoteId: quote.id,
      operation: 'executeQuote',
      accountId,
      expiresAt: quote.expiresAt,
      target: quote.id,
      bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      issuedAt: quote.createdAt,
      nonce: expect.any(String),
    });
    expect(payloadOf(expectStatus(await client.get(`/quotes/${quote.id}`), 200))).toBe(payload);
  });

  it('is executed with the stamp of a session, without a Request-Id', async () => {
    const { quote, session, ...wallet } = await payable();
    const body = expectStatus(await executeSigned(quote, session, { 'request-id': 'ignored' }), 200);
    expect(['PROCESSING', 'COMPLETED']).toContain(body.status);
    expect(await balanceOf(wallet)).toBe(95_000_000);
    await eventually(
      async () => expectStatus(await client.get(`/quotes/${quote.id}`), 200),
      ({ status }) => status === 'COMPLETED',
    );
    expectProblem(await executeSigned(quote, session), 409, 'CONFLICT');
  });

  it('takes the twin of a stamp, whose s is the other one', async () => {
    const { quote, session, payload } = await payable();
    const stamp = twinOf(stampOf(session.privateKey, payload));
    expectStatus(await execute(quote, { 'service-wallet-signature': stamp }), 200);
  });

  it('takes the stamp under the name that existing clients send', async () => {
    const { quote, session, payload } = await payable();
    const stamp = stampOf(session.privateKey, payload);
    const twice = { 'service-wallet-signature': stamp, 'grid-wallet-signature': `${stamp}x` };
    expect(namedFields(expectProblem(await execute(quote, twice), 400, 'INVALID_INPUT'))).toEqual([
      'Grid-Wallet-Signature',
    ]);
    expectStatus(await execute(quote, { 'grid-wallet-signature': stamp }), 200);
  });

  it('is not executed without its right stamp', async () => {
    const { quote, session, payload, ...wallet } = await payable();
    const other = await payable();
    const stranger = newClientKey();
    for (const [headers, code] of [
      [{}, 'WALLET_SIGNATURE_MISSING'],
      [{ 'request-id': 'x' }, 'WALLET_SIGNATURE_MISSING'],
      [{ 'service-wallet-signature': 'noise' }, 'WALLET_SIGNATURE_MALFORMED'],
      [{ 'service-wallet-signature': stampOf(stranger.privateKey, payload) }, 'WALLET_SIGNATURE_INVALID'],
      [
        { 'service-wallet-signature': stampOf(session.privateKey, other.payload) },
        'WALLET_SIGNATURE_INVALID',
      ],
      [
        { 'service-wallet-signature': stampOf(other.session.privateKey, payload) },
        'WALLET_SIGNATURE_INVALID',
      ],
    ] as const)
      expectProblem(await execute(quote, headers), 401, code);
    expect(await balanceOf(wallet)).toBe(100_000_000);
    expect(expectStatus(await client.get(`/quotes/${quote.id}`), 200).status).toBe('PENDING');
    expectStatus(await executeSigned(quote, session), 200);
  });

  it('is not executed by a session that was revoked', async () => {
    const { quote, session, credential } = await payable();
    expectStatus(await signed(revokeSession(client, session.id), session), 204);
    expectProblem(await executeSigned(quote, session), 401, 'WALLET_SIGNATURE_INVALID');
    expectStatus(await executeSigned(quote, await signInByEmail(client, credential.id)), 200);
  });

  it('is paid once by 50 executions at once', async () => {
    const { quote, session, ...wallet } = await payable();
    const answers = await together(50, () => executeSigned(quote, session));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 49 });
    expect(await balanceOf(wallet)).toBe(95_000_000);
  });

  it('keeps no refusal of a signature for its key', async () => {
    const { quote, session } = await payable();
    const keyed = { 'idempotency-key': quote.id };
    expectProblem(await execute(quote, keyed), 401, 'WALLET_SIGNATURE_MISSING');
    expectStatus(await executeSigned(quote, session, keyed), 200);
  });

  it('answers a keyed repeat as it did at first', async () => {
    const { quote, session } = await payable();
    const keyed = { 'idempotency-key': quote.id };
    const first = expectStatus(await executeSigned(quote, session, keyed), 200);
    const again = await executeSigned(quote, session, keyed);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first);
  });

  it('cannot be executed at once', async () => {
    const { accountId, payee } = await payable();
    const body = quoteBody(accountId, payee.id, { lockedCurrencyAmount: 5_000_000 });
    const atOnce = await client.post('/quotes', { ...body, immediatelyExecute: true });
    expect(namedFields(expectProblem(atOnce, 400, 'INVALID_INPUT'))).toEqual(['immediatelyExecute']);
  });

  it('is not executed without the money', async () => {
    const { accountId, payee, session } = await payable();
    const body = quoteBody(accountId, payee.id, { lockedCurrencyAmount: 500_000_000 });
    const quote = expectStatus(await client.post('/quotes', body), 201);
    expectProblem(await executeSigned(quote, session), 400, 'INSUFFICIENT_BALANCE');
  });

  it('needs no stamp from other accounts', async () => {
    const { customer, payee } = await payable();
    const { data } = expectStatus(
      await client.get('/customers/internal-accounts', { customerId: customer.id, currency: 'USD' }),
      200,
    );
    await fund(client, data[0].id, 10_000);
    const quote = expectStatus(await client.post('/quotes', quoteBody(data[0].id, payee.id)), 201);
    expectStatus(await execute(quote, { 'service-wallet-signature': 'whatever' }), 200);
  });
});

describe('the books', () => {
  it('are balanced after all quotes of this file', async () => {
    const { data } = expectStatus(await client.get('/platform/trial-balance'), 200);
    expect(data.length).toBeGreaterThan(0);
    for (const { total } of data) expect(Number(total)).toBe(0);
  });
});
