/** What rests on rows, while the read models are behind: it waits, and is not decided by what they do not show yet. */
import { expect, it } from 'vitest';
import { referenceFor } from '../../src/domain/accounts/funding-identifiers.ts';
import { primaryAccount } from '../../src/domain/accounts/provisioning.ts';
import type { RailReports } from '../../src/domain/ports/rail-module.ts';
import { expectProblem } from '../support/http/problems.ts';
import { holdProjector, untilShown } from '../support/postgres/read-models.ts';
import { startTestService } from '../support/processes/service.ts';
import { createAgent } from '../support/resources/agents.ts';
import {
  accountOf,
  createBusiness,
  createCustomer,
  eventually,
  expectStatus,
  payoutParties,
  quoteBody,
} from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  executeQuote,
  quote,
  registerUsd,
  transferIn,
} from '../support/resources/payments.ts';
import { createOwner, verify } from '../support/resources/verification.ts';
import { fickleRail } from '../support/traffic/mixed-traffic.ts';

/** What waits for the read models does so for two seconds in all; timers may be early by a moment. */
const waitsMs = 1_900;

const money = (named: readonly string[], bankReference: string) => ({
  named,
  bankReference,
  amount: { minor: 700n, currency: 'USD' },
  refusalIsFinal: true,
});

it('money is nobody’s only once the read models have all accounts', async () => {
  let reports: RailReports | undefined;
  const rail = async (own: RailReports) => {
    reports = own;
    return fickleRail;
  };
  const { client, databaseUrl, stop } = await startTestService({ rail, patienceMs: undefined });
  const arrived = (named: readonly string[], bankReference: string) =>
    reports?.arrived(money(named, bankReference));
  const seen = await createCustomer(client);
  await untilShown(databaseUrl);
  const [{ accountOrWalletInfo: known }] = (await accountOf(client, seen.id)).fundingPaymentInstructions;
  const release = await holdProjector(databaseUrl);
  const unseen = await createCustomer(client);
  const unknown = referenceFor(primaryAccount(unseen.id, 'USD'));
  // Whom it names is known, whatever else there is.
  expect(await arrived([String(known.reference)], 'behind/1')).toMatchObject({ status: 'credited' });
  expect(await arrived(['thank you'], 'behind/2')).toEqual({ status: 'unmatched' });
  const asked = arrived([unknown], 'behind/3');
  await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  // Both may be meant.
  const both = arrived([String(known.reference), unknown], 'behind/4');
  await expect(both).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const start = performance.now();
  const waiting = arrived([unknown], 'behind/3')?.catch(() => ({ afterMs: performance.now() - start }));
  await release();
  await untilShown(databaseUrl);
  const first = await waiting;
  // Where the machine has much else to do, all its time may be over by then.
  if (first && 'afterMs' in first) expect(first.afterMs).toBeGreaterThan(waitsMs);
  else expect(first).toMatchObject({ status: 'credited' });
  const arrives = (...money: Parameters<typeof arrived>) =>
    eventually(
      async () => arrived(...money)?.catch(() => undefined),
      (told) => told !== undefined,
    );
  expect(['credited', 'known']).toContain((await arrives([unknown], 'behind/3'))?.status);
  expect(await arrives([unknown], 'behind/3')).toMatchObject({ status: 'known' });
  expect(await arrives([String(known.reference), unknown], 'behind/4')).toEqual({ status: 'unmatched' });
  expect(await arrives(['DB-AAAAAAAAAA'], 'behind/5')).toEqual({ status: 'unmatched' });
  await expect.poll(() => balanceOf(client, unseen.id)).toBe(700);
  await stop();
});

it('an operator decides for every owner who waits', async () => {
  const adminToken = 'an-admin-token-of-more-than-32-characters';
  const { client, databaseUrl, stop, url } = await startTestService({
    variables: { DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_ADMIN_TOKEN: adminToken },
    patienceMs: undefined,
  });
  const { id: customerId } = await createBusiness(client, { currencies: ['EUR'] });
  const { id } = expectStatus(await verify(client, customerId), 200);
  const approve = () =>
    fetch(`${new URL(url).origin}/admin/verifications/${id}/decide`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'APPROVED' }),
    });
  const release = await holdProjector(databaseUrl);
  const owner = await createOwner(client, customerId);
  expect((await approve()).status).toBe(503);
  await release();
  await untilShown(databaseUrl);
  expect((await approve()).status).toBe(200);
  const shown = expectStatus(await client.get(`/beneficial-owners/${owner.id}`), 200);
  expect(shown.kycStatus).toBe('APPROVED');
  await stop();
});

it('a business is approved only with all of its owners', async () => {
  const { client, databaseUrl, stop } = await startTestService({ patienceMs: undefined });
  const { id } = await createBusiness(client);
  await createOwner(client, id);
  const release = await holdProjector(databaseUrl);
  const second = await createOwner(client, id, 'Babbage');
  expectProblem(await verify(client, id), 503, 'SERVICE_UNAVAILABLE');
  await release();
  await untilShown(databaseUrl);
  expect(expectStatus(await verify(client, id), 200).verificationStatus).toBe('APPROVED');
  const owner = expectStatus(await client.get(`/beneficial-owners/${second.id}`), 200);
  expect(owner.kycStatus).toBe('APPROVED');
  await stop();
});

it('what the log has and the lists do not is not told as if they had', async () => {
  const { client, databaseUrl, stop } = await startTestService({ patienceMs: undefined });
  const { customer, account, payee } = await payoutParties(client);
  const { agent } = await createAgent(client, customer.id);
  const [one, other] = [quoteBody(account.id, payee.id), quoteBody(account.id, payee.id)];
  const [executed, pending] = [await quote(client, one), await quote(client, other)];
  const paths = [
    `/agents/${agent.id}`,
    `/audit/agents/${agent.id}/history`,
    `/audit/transactions/${executed.transactionId}/history`,
    `/console/transactions/${executed.transactionId}/life`,
  ];
  const behind = async (path: string) => (await client.get(path)).headers.get('Daybook-Read-Models');

  const release = await holdProjector(databaseUrl);
  expect(await behind(`/audit/transactions/${pending.transactionId}/history`)).toBeNull();
  expectStatus(await client.patch(`/agents/${agent.id}`, { isPaused: true }), 200);
  await executeQuote(client, executed);
  const again = await client.post(`/quotes/${executed.id}/execute`);
  expectProblem(again, 409, 'CONFLICT');
  expect(again.headers.get('Daybook-Read-Models')).toBe('behind');
  expect(expectStatus(await client.get('/agents'), 200).data[0].isPaused).toBe(false);
  expect(await Promise.all(paths.map(behind))).toEqual(paths.map(() => 'behind'));
  const start = performance.now();
  const waiting = client.get(`/agents/${agent.id}`);
  await release();
  await untilShown(databaseUrl);
  const afterMs = performance.now() - start;
  if (afterMs < waitsMs) expect((await waiting).headers.get('Daybook-Read-Models')).toBeNull();
  await waiting;
  expect(expectStatus(await client.get('/agents'), 200).data[0].isPaused).toBe(true);
  for (const path of paths)
    await eventually(
      () => behind(path),
      (told) => told === null,
    );
  await stop();
});

it('a customer is deleted, or erased, only when the read models have all payments', async () => {
  const { client, databaseUrl, stop } = await startTestService({
    patienceMs: undefined,
    variables: { DAYBOOK_SANDBOX_TIME_SCALE: '60' },
  });
  const { customer, account } = await customerWith(client, 0);
  const pulled = await registerUsd(client, customer.id);
  const release = await holdProjector(databaseUrl);
  expectStatus(await transferIn(client, pulled.id, account.id, 700), 201);
  const path = `/customers/${customer.id}`;
  for (const refused of [await client.delete(path), await client.post(`${path}/erase`)])
    expect(expectProblem(refused, 503, 'SERVICE_UNAVAILABLE').message).toMatch(/in the lists yet/);
  await release();
  await untilShown(databaseUrl);
  expectProblem(await client.delete(path), 409, 'CONFLICT');
  expect(expectStatus(await client.get(path), 200).isDeleted).toBe(false);
  await stop();
});
