import { describe, expect, it } from 'vitest';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import { clientOf, type Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { employed, payOut, policyOf } from '../support/resources/agents.ts';
import { fieldsOf, formOf } from '../support/resources/documents.ts';
import { accountOf, createBusiness, eventually, expectStatus, fund } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  registerUsd,
  transferIn,
  transferOut,
  usdInfo,
} from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { issueToken } from '../support/resources/tokens.ts';
import { startReceiver } from '../support/servers/receiver.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '1' } });
/** Of another platform, in a process of its own. */
const other = besideOfTests(service);
const { client } = service;

const have = async (effect: object, { match = {}, times = 1, ...rest }: Json = {}): Promise<Json> =>
  expectStatus(await client.post('/sandbox/faults', { match, effect, times, ...rest }), 201);
const remaining = async (): Promise<Json[]> => expectStatus(await client.get('/sandbox/faults'), 200).data;

async function payer() {
  const { customer, account } = await customerWith(client, 10_000);
  return { customer, account, bank: await registerUsd(client, customer.id) };
}

/** Whether the webhook of a payment comes before the answer to it, which is held back for so long. */
async function isToldBeforeAnswer(delay: string): Promise<boolean> {
  const { account, bank } = await payer();
  const told = { type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED', objectId: account.id };
  const webhooks = async (query: Record<string, string>): Promise<Json[]> =>
    expectStatus(await client.get('/sandbox/webhooks', { ...told, ...query }), 200).data;
  const [funded] = await eventually(
    () => webhooks({}),
    ({ length }) => length > 0,
  );
  await have({ kind: 'DELAY', when: 'AFTER', delay }, { match: { operationId: 'transferOut' } });
  let isAnswered = false;
  const asking = transferOut(client, account.id, bank.id, 100).finally(() => {
    isAnswered = true;
  });
  const paid = await webhooks({ after: funded.place, waitSeconds: '30' });
  const isFirst = paid.length > 0 && !isAnswered;
  expectStatus(await asking, 201);
  return isFirst;
}

describe('a fault', () => {
  it('that holds a request up does not let a token act that was deleted meanwhile', async () => {
    const { customer, account, bank } = await payer();
    const token = await issueToken(client, ['TRANSACT']);
    const effect = { kind: 'DELAY', when: 'BEFORE', delay: 'PT4S' };
    await have(effect, { match: { operationId: 'transferOut' } });
    const asking = transferOut(clientOf(service.url, token), account.id, bank.id, 100);
    await eventually(remaining, ({ length }) => length === 0);
    expectStatus(await client.delete(`/tokens/${token.id}`), 204);
    expectProblem(await asking, 401, 'UNAUTHORIZED');
    expect(await balanceOf(client, customer.id)).toBe(10_000);
  });

  it.each([
    [
      'createCustomerExternalAccount',
      (customerId: string) =>
        client.post('/customers/external-accounts', {
          customerId,
          currency: 'USD',
          accountInfo: usdInfo('789'),
        }),
    ],
    [
      'uploadDocument',
      (customerId: string) => client.form('POST', '/documents', formOf(fieldsOf(customerId))),
    ],
    [
      'createAgent',
      (customerId: string) => client.post('/agents', { name: 'Clerk', customerId, policy: policyOf() }),
    ],
  ])('that holds %s up has it find what is there afterwards', async (operationId, ask) => {
    const { id } = await createBusiness(client);
    await have({ kind: 'DELAY', when: 'BEFORE', delay: 'PT2S' }, { match: { operationId } });
    const asking = ask(id);
    await eventually(remaining, ({ length }) => length === 0);
    expectStatus(await client.delete(`/customers/${id}`), 200);
    expectProblem(await asking, 410, 'CUSTOMER_DELETED');
  });

  it('refuses an operation as often as it says, and is gone then', async () => {
    const { account, bank } = await payer();
    const effect = { kind: 'REFUSE', code: 'INSUFFICIENT_BALANCE' };
    const fault = await have(effect, { match: { operationId: 'transferOut', accountId: bank.id } });
    expect(fault).toMatchObject({ effect: { ...effect, status: 400 }, remaining: 1 });
    expect(await remaining()).toEqual([fault]);
    expectProblem(await transferOut(client, account.id, bank.id, 100), 400, 'INSUFFICIENT_BALANCE');
    expectStatus(await transferOut(client, account.id, bank.id, 100), 201);
    expect(await remaining()).toEqual([]);
  });

  it.each([
    ['RATE_LIMITED', 429],
    ['SERVICE_UNAVAILABLE', 503],
  ])('that refuses with %s says when to come back', async (code, status) => {
    await have({ kind: 'REFUSE', code }, { match: { operationId: 'getPlatformConfig' } });
    const answer = await client.get('/config');
    expect(expectProblem(answer, status, code).details).toEqual({ retryAfterSeconds: 1 });
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('hits the account, the operation and the platform that it names, and no other', async () => {
    const [one, two] = [await payer(), await payer()];
    const effect = { kind: 'REFUSE', code: 'INTERNAL_ERROR' };
    const { id } = await have(effect, { match: { accountId: two.account.id }, times: 50 });
    expectStatus(await transferOut(client, one.account.id, one.bank.id, 100), 201);
    expectProblem(await transferOut(client, two.account.id, two.bank.id, 100), 500, 'INTERNAL_ERROR');
    await fund(client, two.account.id, 5);
    expectProblem(await other.client.delete(`/sandbox/faults/${id}`), 404, 'REFERENCE_NOT_FOUND');
    expect(expectStatus(await other.client.get('/sandbox/faults'), 200).data).toEqual([]);
    expectStatus(await client.delete(`/sandbox/faults/${id}`), 204);
    expectProblem(await client.delete(`/sandbox/faults/${id}`), 404, 'REFERENCE_NOT_FOUND');
    expectStatus(await transferOut(client, two.account.id, two.bank.id, 100), 201);

    await have(effect);
    expectStatus(await other.client.get('/config'), 200);
    expectProblem(await client.get('/config'), 500, 'INTERNAL_ERROR');
  });

  it.each(['accountId', 'currency'])(
    'does not hit by %s what only the agent or the customer has',
    async (of) => {
      const { customer, account, bank } = await payer();
      const { id: accountId } = await accountOf(client, customer.id, 'EUR');
      const accountRules = [{ accountId, perTransactionLimit: 10 }];
      const { me } = await employed(client, customer.id, { accountRestrictions: { accountRules } });
      const match = of === 'accountId' ? { accountId } : { currency: 'EUR' };
      const { id } = await have({ kind: 'REFUSE', code: 'INTERNAL_ERROR' }, { match, times: 50 });
      const { id: paid } = expectStatus(await transferOut(client, account.id, bank.id, 100), 201);
      const { transaction } = expectStatus(await payOut({ me, account, bank }, 100), 201);
      for (const payment of [paid, transaction.id])
        expectStatus(await me.get(`/agents/me/transactions/${payment}`), 200);
      expectStatus(await me.get('/agents/me'), 200);
      expectStatus(await client.delete(`/sandbox/faults/${id}`), 204);
    },
  );

  it('hits by the values of the object that the path names', async () => {
    const { account } = await payer();
    await have({ kind: 'REFUSE', code: 'INTERNAL_ERROR' }, { match: { currency: 'USD' }, times: 1 });
    expectProblem(
      await client.patch(`/internal-accounts/${account.id}`, { privateEnabled: true }),
      500,
      'INTERNAL_ERROR',
    );
  });

  it('cuts the connection after the money has moved, and a repeat with the key finds the payment', async () => {
    const { customer, account, bank } = await payer();
    await have({ kind: 'DROP', when: 'AFTER' }, { match: { operationId: 'transferOut' } });
    const headers = { 'Idempotency-Key': 'cut-off' };
    await expect(transferOut(client, account.id, bank.id, 4_000, headers)).rejects.toThrow();
    const repeated = expectStatus(await transferOut(client, account.id, bank.id, 4_000, headers), 201);
    expect(repeated.id).toMatch(/^Transaction:/);
    expect(await balanceOf(client, customer.id)).toBe(6_000);
  });

  it('cuts the connection before anything has happened', async () => {
    const { customer, account, bank } = await payer();
    await have({ kind: 'DROP', when: 'BEFORE' }, { match: { operationId: 'transferOut' } });
    await expect(transferOut(client, account.id, bank.id, 4_000)).rejects.toThrow();
    expect(await balanceOf(client, customer.id)).toBe(10_000);
  });

  it('holds back the answer until the webhook is there', async () => {
    expectStatus(await client.patch('/config', { webhookEndpoint: inboxUrl }), 200);
    const isToldFirst = (await isToldBeforeAnswer('PT5S')) || (await isToldBeforeAnswer('PT30S'));
    expect(isToldFirst).toBe(true);
  });

  it('sends a webhook twice, or later than those that come after it', async () => {
    const receiver = await startReceiver();
    expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
    const [one, two] = [await payer(), await payer()];
    const webhookType = 'INTERNAL_ACCOUNT.BALANCE_UPDATED';
    const about = (id: string) => receiver.received.filter(({ body }) => body.data.id === id);
    const lengths = async () => [one, two].map(({ account }) => about(account.id).length);
    const [first = 0, second = 0] = await eventually(lengths, (all) => all.every((count) => count > 0));
    await have(
      { kind: 'HOLD_WEBHOOK', delay: 'PT3S' },
      { match: { webhookType, accountId: one.account.id } },
    );
    await have({ kind: 'DUPLICATE_WEBHOOK' }, { match: { webhookType, accountId: two.account.id } });
    expectStatus(await client.post('/sandbox/clock/freeze'), 200);
    await fund(client, one.account.id, 1);
    await fund(client, two.account.id, 1);
    await eventually(
      async () => about(two.account.id).length,
      (count) => count === second + 2,
    );
    const twice = about(two.account.id).slice(second);
    expect(new Set(twice.map(({ body }) => body.id)).size).toBe(1);
    expect(about(one.account.id).length).toBe(first);
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'PT3S' }), 200);
    expectStatus(await client.post('/sandbox/clock/resume'), 200);
    await eventually(
      async () => about(one.account.id).length,
      (count) => count === first + 1,
    );
    expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
    await receiver.close();
  });

  it('has the bank send a payment back two days later', async () => {
    const { customer, account, bank } = await payer();
    expectStatus(await client.post('/sandbox/clock/freeze'), 200);
    const effect = { kind: 'RETURN_PAYMENT', delay: 'P2D' };
    const { id: fault } = await have(effect, { match: { accountId: bank.id }, times: 1 });
    const { id } = expectStatus(await transferOut(client, account.id, bank.id, 3_000), 201);
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'PT1S' }), 200);
    const status = async () => expectStatus(await client.get(`/transactions/${id}`), 200).status;
    expect(await status()).toBe('COMPLETED');
    // It has happened, and goes on to the end whatever becomes of the fault.
    expectStatus(await client.delete(`/sandbox/faults/${fault}`), 204);
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'P2D' }), 200);
    expect(await status()).toBe('FAILED');
    expect(await balanceOf(client, customer.id)).toBe(10_000);
    expectStatus(await client.post('/sandbox/clock/resume'), 200);
  });

  it('is over when its time is', async () => {
    const { customer, account, bank } = await payer();
    await have({ kind: 'REFUSE', code: 'INTERNAL_ERROR' }, { times: 50, lasts: 'PT1H' });
    expectProblem(await client.get('/config'), 500, 'INTERNAL_ERROR');
    expectProblem(await transferIn(client, bank.id, account.id, 100), 500, 'INTERNAL_ERROR');
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'PT1H' }), 200);
    expectStatus(await client.get(`/customers/${customer.id}`), 200);
    expect(await remaining()).toEqual([]);
  });

  it('is refused where it could never happen, or too many are there', async () => {
    const drop = { kind: 'DROP', when: 'BEFORE' };
    for (const body of [
      { effect: { kind: 'DUPLICATE_WEBHOOK' }, match: { operationId: 'transferOut' } },
      { effect: drop, match: { webhookType: 'TEST' } },
      { effect: drop, match: { percent: 0 } },
      { effect: { kind: 'DELAY', when: 'AFTER', delay: 'PT31S' } },
      { effect: { kind: 'REFUSE', code: 'NO_SUCH_CODE' } },
      { effect: drop, lasts: 'P8D' },
    ])
      expectProblem(await client.post('/sandbox/faults', body), 400, 'INVALID_INPUT');
    const slip = { effect: drop, match: { operationId: 'transferout' } };
    const refusal = expectProblem(await client.post('/sandbox/faults', slip), 400, 'INVALID_INPUT');
    expect(JSON.stringify(refusal)).toContain('the nearest is transferOut');
    for (const operationId of ['redeemDeviceCode', 'createConsoleSession', 'sandboxListFaults'])
      expectProblem(
        await client.post('/sandbox/faults', { effect: drop, match: { operationId } }),
        400,
        'INVALID_INPUT',
      );
    const match = { operationId: 'createInvitation' };
    for (let n = 0; n < 100; n++) await have(drop, { match });
    expectProblem(await client.post('/sandbox/faults', { match, effect: drop }), 409, 'CONFLICT');
    expectStatus(await other.client.post('/sandbox/faults', { match, effect: drop }), 201);
    for (const { id } of await remaining()) expectStatus(await client.delete(`/sandbox/faults/${id}`), 204);
  });
});
