import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  actionsOf,
  approvalRequired,
  approve,
  employed,
  executeAs,
  limited,
  newQuoteAs,
  payOut,
  pullIn,
  quoteAs,
  reasonOf,
  type Staffed,
  staffed,
  usageOf,
} from '../support/resources/agents.ts';
import { expectStatus, fund, quoteBody, untilTransaction } from '../support/resources/flows.ts';
import { balanceOf, sandboxAddress, toAddress } from '../support/resources/payments.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { newClientKey, stampOf } from '../support/wallets/wallet-client.ts';
import { addEmail, revokeSession, type Session, signed, signInByEmail } from '../support/wallets/wallets.ts';

const clock = movableClock();

const service = serviceOfTests({ clock });
const { client } = service;
let other: Staffed;
beforeAll(async () => {
  other = await staffed(client);
});

/** An agent's quote that the customer's wallet pays, and a session of the wallet. */
async function walletQuote(policy: object) {
  const one = await staffed(client, {
    ...policy,
    spendingLimits: { currency: 'USDB', perTransactionLimit: 10_000_000 },
  });
  const query = { customerId: one.customer.id, type: 'EMBEDDED_WALLET' };
  const [wallet] = expectStatus(await client.get('/customers/internal-accounts', query), 200).data;
  await fund(client, wallet.id, 10_000_000);
  const email = { email: 'ada@example.com' };
  const credential = await addEmail(client, { customer: one.customer, accountId: wallet.id }, email);
  const session = await signInByEmail(client, credential.id);
  const quoted = await newQuoteAs({ ...one, account: wallet }, { lockedCurrencyAmount: 5_000_000 });
  const { payloadToSign } = quoted.paymentInstructions[0].accountOrWalletInfo;
  const balances = async () =>
    expectStatus(await client.get('/customers/internal-accounts', query), 200).data.map(
      ({ balance }: Json) => balance.amount,
    );
  return { one, balances, credential, session, quoted, payloadToSign };
}

const stampBy = ({ privateKey }: Pick<Session, 'privateKey'>, payloadToSign: string) => ({
  'service-wallet-signature': stampOf(privateKey, payloadToSign),
});

describe('a quote of an agent', () => {
  it('may pay a payment address', async () => {
    const one = await staffed(client);
    const body = await toAddress(client, one, sandboxAddress('success.eur'));
    const quoted = expectStatus(await one.me.post('/agents/me/quotes', body), 201);
    expectStatus(await executeAs(one, quoted), 200);
    await untilTransaction(client, quoted.transactionId, 'COMPLETED');
  });

  it('is counted when it is pulled from a bank', async () => {
    const one = await staffed(client);
    const body = quoteBody(one.bank.id, one.payee.id);
    const quoted = expectStatus(await one.me.post('/agents/me/quotes', body), 201);
    expect(expectStatus(await executeAs(one, quoted), 200).status).toBe('APPROVED');
    expectProblem(await executeAs(one, quoted), 409, 'CONFLICT');
    const atOnce = { ...body, immediatelyExecute: true };
    expectStatus(await one.me.post('/agents/me/quotes', atOnce), 201);
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 2, dailySpend: 20_000 });
  });

  it('is not executed when it is paid for from outside', async () => {
    const one = await staffed(client);
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD' };
    const body = { ...quoteBody('', one.payee.id), source };
    const quoted = expectStatus(await one.me.post('/agents/me/quotes', body), 201);
    expect(quoted.source.customerId).toBe(one.customer.id);
    expectProblem(await executeAs(one, quoted), 400, 'INVALID_INPUT');
    const restricted = await employed(client, one.customer.id, { permissions: ['CREATE_QUOTES'] });
    const foreign = expectStatus(await restricted.me.post('/agents/me/quotes', body), 201);
    expect(reasonOf(await executeAs(restricted, foreign))).toBe('PERMISSION');
  });

  it('needs the stamp of a session where an embedded wallet pays, approval or not', async () => {
    for (const policy of [{}, approvalRequired]) {
      const { one, session, quoted, payloadToSign } = await walletQuote(policy);
      expectProblem(await executeAs(one, quoted), 401, 'WALLET_SIGNATURE_MISSING');
      const forged = { 'service-wallet-signature': stampOf(newClientKey().privateKey, payloadToSign) };
      expectProblem(await executeAs(one, quoted, forged), 401, 'WALLET_SIGNATURE_INVALID');
      expect(await actionsOf(one)).toBe(0);
      const action = expectStatus(await executeAs(one, quoted, stampBy(session, payloadToSign)), 200);
      const waits = policy === approvalRequired;
      expect(action.status).toBe(waits ? 'PENDING_APPROVAL' : 'APPROVED');
      if (waits) expect(expectStatus(await approve(client, action), 200).status).toBe('APPROVED');
      await untilTransaction(client, quoted.transactionId, 'COMPLETED');
    }
  });

  it('is not approved once the session that has signed it is revoked, until another signs', async () => {
    const { one, balances, credential, session, quoted, payloadToSign } = await walletQuote(approvalRequired);
    const other = await signInByEmail(client, credential.id);
    const action = expectStatus(await executeAs(one, quoted, stampBy(session, payloadToSign)), 200);
    expectStatus(await signed(revokeSession(client, session.id), other), 204);
    expect(expectStatus(await approve(client, action), 200).status).toBe('FAILED');
    expect(await balances()).toEqual([10_000_000]);
    const again = expectStatus(await executeAs(one, quoted, stampBy(other, payloadToSign)), 200);
    expect(expectStatus(await approve(client, again), 200).status).toBe('APPROVED');
    await untilTransaction(client, quoted.transactionId, 'COMPLETED');
  });

  it('is executed once', async () => {
    const one = await staffed(client);
    const quoted = await newQuoteAs(one);
    expectStatus(await executeAs(one, quoted), 200);
    expectProblem(await executeAs(one, quoted), 409, 'CONFLICT');
    expect(await usageOf(one)).toMatchObject({ dailyTransactionCount: 1 });
  });

  it('is not executed after its time', async () => {
    const one = await staffed(client);
    const quoted = await newQuoteAs(one);
    clock.advance(300_001);
    expectProblem(await executeAs(one, quoted), 409, 'QUOTE_EXPIRED');
    expect(await actionsOf(one)).toBe(0);
  });

  it('needs the permission to create, and that to execute where it runs at once', async () => {
    const one = await staffed(client, { permissions: ['EXECUTE_QUOTES'] });
    expect(reasonOf(await quoteAs(one))).toBe('PERMISSION');
    expect(reasonOf(await quoteAs(one, { immediatelyExecute: true }))).toBe('PERMISSION');
    const path = `/agents/${one.agent.id}/policy`;
    expectStatus(await client.patch(path, { permissions: ['CREATE_QUOTES'] }), 200);
    const quoted = await newQuoteAs(one);
    expect(reasonOf(await quoteAs(one, { immediatelyExecute: true }))).toBe('PERMISSION');
    expect(reasonOf(await executeAs(one, quoted))).toBe('PERMISSION');
    expectStatus(await one.me.get(`/agents/me/quotes/${quoted.id}`), 200);
    expectStatus(await client.patch(path, { permissions: ['VIEW_TRANSACTIONS'] }), 200);
    expect(reasonOf(await one.me.get(`/agents/me/quotes/${quoted.id}`))).toBe('PERMISSION');
  });

  it('takes no accounts but those of its customer', async () => {
    const one = await staffed(client);
    const from = (accountId: string, customerId?: string) => ({
      ...quoteBody(accountId, one.payee.id),
      source: { accountId, ...(customerId && { customerId }) },
    });
    const post = (body: object) => one.me.post('/agents/me/quotes', body);
    expectProblem(await post(from(other.account.id)), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await post(quoteBody(one.account.id, other.payee.id)), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await post(quoteBody(one.account.id, other.account.id)), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await post(from(one.account.id, other.customer.id)), 404, 'USER_NOT_FOUND');
    expectStatus(await post(from(one.account.id, one.customer.id)), 201);
    expectProblem(await payOut({ ...one, account: other.account }, 100), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await payOut({ ...one, bank: other.bank }, 100), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await pullIn({ ...one, bank: other.bank }, 100), 404, 'REFERENCE_NOT_FOUND');
  });
});

describe("an agent's Idempotency-Key", () => {
  it('brings the first answer back', async () => {
    const one = await staffed(client);
    const headers = { 'idempotency-key': randomUUID() };
    const first = expectStatus(await payOut(one, 100, headers), 201);
    const again = await payOut(one, 999, headers);
    expect(again.body).toEqual(first);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await balanceOf(client, one.customer.id)).toBe(999_900);
  });

  it('means nothing to another agent', async () => {
    const one = await staffed(client);
    const second = { ...one, ...(await employed(client, one.customer.id)) };
    const headers = { 'idempotency-key': randomUUID() };
    const quotes = [await quoteAs(one, {}, headers), await quoteAs(second, {}, headers)];
    expect(new Set(quotes.map(({ body }) => body.id)).size).toBe(2);
    const out = [await payOut(one, 100, headers), await payOut(second, 100, headers)];
    expect(new Set(out.map(({ body }) => body.id)).size).toBe(2);
  });

  it('keeps a refusal', async () => {
    const one = await limited(client, { perTransactionLimit: 99 });
    const headers = { 'idempotency-key': randomUUID() };
    expect(reasonOf(await payOut(one, 100, headers))).toBe('PER_TRANSACTION_LIMIT');
    expect(reasonOf(await payOut(one, 99, headers))).toBe('PER_TRANSACTION_LIMIT');
  });
});
