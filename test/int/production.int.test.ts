/** Production with what an operator has connected: the example modules, and the example server in their place. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { railSecret } from '../support/rails/rail-modules.ts';
import {
  accountOf,
  createBusiness,
  createCustomer,
  eventually,
  expectStatus,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { quote, registerEur, registerUsd, transferOut } from '../support/resources/payments.ts';
import { createOwner } from '../support/resources/verification.ts';

const adminToken = 'an-admin-token-of-more-than-32-characters';
const production = { DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_ADMIN_TOKEN: adminToken };

const originOf = ({ url }: TestService) => new URL(url).origin;
const decide = (service: TestService, id: string, body: object, token = adminToken) =>
  fetch(`${originOf(service)}/admin/verifications/${id}/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const decideOwner = (service: TestService, id: string, body: object) =>
  fetch(`${originOf(service)}/admin/beneficial-owners/${id}/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const newCustomer = (client: Client): Promise<Json> =>
  createCustomer(client, { currencies: ['EUR'], kycStatus: undefined });

/** A customer whom the operator has approved, with her account in EUR and what a payer states to reach it. */
async function approvedCustomer(service: TestService) {
  const { client } = service;
  const customer = await newCustomer(client);
  const { id } = expectStatus(await client.post('/verifications', { customerId: customer.id }), 200);
  expect((await decide(service, id, { decision: 'APPROVED' })).status).toBe(200);
  const account = await accountOf(client, customer.id, 'EUR');
  const [{ accountOrWalletInfo }] = account.fundingPaymentInstructions;
  return { customer, account, reference: String(accountOrWalletInfo.reference) };
}

const balanceOf = async (client: Client, customerId: string): Promise<number> =>
  (await accountOf(client, customerId, 'EUR')).balance.amount;

async function failedRefunds(service: TestService): Promise<number> {
  const text = await (await fetch(`${originOf(service)}/metrics`)).text();
  return Number(/^daybook_failed_refunds_total (\d+)$/m.exec(text)?.[1]);
}

describe('production with modules', () => {
  let directory = '';
  let service: TestService;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'daybook-production-'));
    service = await startTestService({
      variables: {
        ...production,
        DAYBOOK_DATA_DIR: directory,
        DAYBOOK_RAIL: './docs/examples/my-rail.ts',
        DAYBOOK_RAIL_LOOK_EVERY_MS: '50',
        DAYBOOK_SCREENING: './docs/examples/my-screening.ts',
        DAYBOOK_RATES: './docs/examples/my-rates.ts',
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });
  const write = async (folder: string, name: string, content: object) => {
    await mkdir(join(directory, 'rail', folder), { recursive: true });
    await writeFile(join(directory, 'rail', folder, `${name}.json`), JSON.stringify(content));
  };

  it('has money come in, once, and go out', async () => {
    const { client } = service;
    const { customer, account, reference } = await approvedCustomer(service);
    await write('statement', 'entry-1', {
      minor: '10000',
      currency: 'EUR',
      text: `for ${reference}, thanks`,
    });
    await eventually(
      () => balanceOf(client, customer.id),
      (balance) => balance === 10_000,
    );
    const bank = await registerEur(client, customer.id);
    const { id } = expectStatus(await transferOut(client, account.id, bank.id, 4_000), 201);
    await write('endings', id.replace('Transaction:', ''), { status: 'settled' });
    await untilTransaction(client, id, 'COMPLETED');
    await write('statement', 'entry-1', { minor: '10000', currency: 'EUR', text: reference });
    await write('statement', 'entry-2', { minor: '1', currency: 'EUR', text: reference });
    await eventually(
      () => balanceOf(client, customer.id),
      (balance) => balance === 6_001,
    );
  });

  /** A customer whose account had 500, which were paid out, and fail. */
  async function failedTransfer(entry: string, refundFails: boolean) {
    const { client } = service;
    const { customer, account, reference } = await approvedCustomer(service);
    const has = (amount: number) =>
      eventually(
        () => balanceOf(client, customer.id),
        (balance) => balance === amount,
      );
    await write('statement', entry, { minor: '500', currency: 'EUR', text: reference });
    await has(500);
    const bank = await registerEur(client, customer.id);
    const { id } = expectStatus(await transferOut(client, account.id, bank.id, 500), 201);
    const failed = { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails };
    await write('endings', id.replace('Transaction:', ''), failed);
    await untilTransaction(client, id, 'FAILED');
    return { customer, has };
  }

  it('refunds what the rail says has failed', async () => {
    const { has } = await failedTransfer('entry-3', false);
    await has(500);
  });

  it('tells the operator of a refund that failed', async () => {
    const before = await failedRefunds(service);
    const { customer } = await failedTransfer('entry-5', true);
    await eventually(
      () => failedRefunds(service),
      (count) => count === before + 1,
    );
    expect(await balanceOf(service.client, customer.id)).toBe(0);
  });

  it('keeps for the customer what was paid for a quote and did not arrive', async () => {
    const { client } = service;
    const { customer } = await approvedCustomer(service);
    const bank = await registerUsd(client, customer.id);
    const quoted = (currency: string) => ({
      ...quoteBody('', bank.id, { lockedCurrencyAmount: 2_000 }),
      source: { sourceType: 'REALTIME_FUNDING', currency, customerId: customer.id },
    });
    const refused = expectProblem(await client.post('/quotes', quoted('GBP')), 400, 'INVALID_INPUT');
    expect(namedFields(refused)).toEqual(['source.currency']);
    const byPlatform = (currency: string) => ({
      ...quoted(currency),
      source: { sourceType: 'REALTIME_FUNDING', currency },
    });
    const homeless = expectProblem(await client.post('/quotes', byPlatform('AED')), 400, 'INVALID_INPUT');
    expect(namedFields(homeless)).toEqual(['source.currency']);
    expectStatus(await client.post('/quotes', byPlatform('GBP')), 201);
    const { transactionId, paymentInstructions } = await quote(client, quoted('EUR'));
    const failed = { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false };
    await write('endings', transactionId.replace('Transaction:', ''), failed);
    const text = String(paymentInstructions[0].accountOrWalletInfo.reference);
    await write('statement', 'entry-4', { minor: '2000', currency: 'EUR', text });
    const ended = await untilTransaction(client, transactionId, 'FAILED');
    expect(ended.failureReason).toBe('OFFRAMP_FAILED');
    await eventually(
      () => balanceOf(client, customer.id),
      (balance) => balance === 2_000,
    );
    // The account has the money before the payment knows of it.
    await eventually(
      async () => expectStatus(await client.get(`/transactions/${transactionId}`), 200).refund.status,
      (status) => status === 'COMPLETED',
    );
  });

  it('tells nobody to pay a cryptocurrency in, of which nobody could say whose it is', async () => {
    const { client } = service;
    const quoted = {
      ...quoteBody('', (await registerUsd(client, (await approvedCustomer(service)).customer.id)).id),
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USDC', cryptoNetwork: 'BASE' },
    };
    const refused = expectProblem(await client.post('/quotes', quoted), 400, 'INVALID_INPUT');
    expect(namedFields(refused)).toEqual(['source.currency']);
    const { data } = expectStatus(await client.get('/platform/internal-accounts'), 200);
    const told = data.filter((one: Json) => one.fundingPaymentInstructions.length > 0);
    const codes = (all: Json[]) => all.map(({ balance }) => balance.currency.code).toSorted();
    expect(codes(data.filter((one: Json) => !told.includes(one)))).toEqual(['BTC', 'USDB', 'USDC']);
    expect(codes(told)).toContain('EUR');
  });

  it('lets an operator end a verification, once', async () => {
    const { client } = service;
    const customer = await newCustomer(client);
    const { id } = expectStatus(await client.post('/verifications', { customerId: customer.id }), 200);
    const first = await decide(service, id, { decision: 'REJECTED', note: 'a name on a list' });
    expect(await first.json()).toMatchObject({ id, verificationStatus: 'REJECTED' });
    expect((await decide(service, id, { decision: 'REJECTED' })).status).toBe(200);
    expect((await decide(service, id, { decision: 'APPROVED' })).status).toBe(409);
    const shown = expectStatus(await client.get(`/customers/${customer.id}`), 200);
    expect(shown.kycStatus).toBe('REJECTED');
  });

  it('checks an owner again who becomes somebody else, and not one who moves', async () => {
    const { client } = service;
    const business = await createBusiness(client, { currencies: ['EUR'] });
    const { id: ownerId } = await createOwner(client, business.id);
    const { id } = expectStatus(await client.post('/verifications', { customerId: business.id }), 200);
    expect((await decide(service, id, { decision: 'APPROVED' })).status).toBe(200);
    const changed = async (personalInfo: object) => {
      const made = await decideOwner(service, ownerId, { decision: 'APPROVED', note: 'seen in person' });
      expect([made.status, await made.json()]).toMatchObject([200, { id: ownerId, kycStatus: 'APPROVED' }]);
      expect(expectStatus(await client.get(`/beneficial-owners/${ownerId}`), 200).kycStatus).toBe('APPROVED');
      const path = `/beneficial-owners/${ownerId}`;
      return expectStatus(await client.patch(path, { personalInfo }), 200).kycStatus;
    };
    expect(await changed({ phoneNumber: '+14155550199', email: 'owner@example.com' })).toBe('APPROVED');
    const [{ personalInfo }] = expectStatus(
      await client.get('/beneficial-owners', { customerId: business.id }),
      200,
    ).data;
    expect(await changed({ firstName: personalInfo.firstName })).toBe('APPROVED');
    for (const other of [
      { firstName: 'Mallory' },
      { birthDate: '1970-02-03' },
      { nationality: 'FR' },
      { identifier: '999-99-9999' },
      { lastName: 'Somebody' },
    ])
      expect([other, await changed(other)]).toEqual([other, 'PENDING']);
    // The verdict was on who the owner was.
    expect((await decide(service, id, { decision: 'APPROVED' })).status).toBe(200);
    expect(expectStatus(await client.get(`/beneficial-owners/${ownerId}`), 200).kycStatus).toBe('PENDING');
    expect((await decideOwner(service, ownerId, { decision: 'REJECTED' })).status).toBe(200);
    expect((await decideOwner(service, ownerId, { decision: 'APPROVED' })).status).toBe(409);
    expect((await decideOwner(service, business.id, { decision: 'APPROVED' })).status).toBe(404);
  });

  it.each([
    ['without the token', 'Verification:00000000-0000-7000-8000-000000000001', 'wrong', {}, 401],
    [
      'of nothing',
      'Verification:00000000-0000-7000-8000-000000000001',
      adminToken,
      { decision: 'APPROVED' },
      404,
    ],
    [
      'by another word',
      'Verification:00000000-0000-7000-8000-000000000001',
      adminToken,
      { decision: 'YES' },
      400,
    ],
    [
      'with a note without end',
      'Verification:x',
      adminToken,
      { decision: 'APPROVED', note: 'x'.repeat(1_001) },
      400,
    ],
  ])('takes no decision %s', async (_what, id, token, body, status) => {
    expect((await decide(service, id, body, token)).status).toBe(status);
  });

  it('lists for the operator what waits for a decision', async () => {
    const headers = { authorization: `Bearer ${adminToken}` };
    const list = () => fetch(`${originOf(service)}/admin/verifications`, { headers });
    expect((await (await list()).json()) as Json).toEqual({ data: expect.any(Array) });
    expect((await fetch(`${originOf(service)}/admin/verifications`)).status).toBe(401);
    expect((await fetch(`${originOf(service)}/admin/verifications?cursor=x`, { headers })).status).toBe(400);
  });

  it('has rates of an age', async () => {
    const text = await (await fetch(`${originOf(service)}/metrics`)).text();
    expect(text).toMatch(/^daybook_rates_age_seconds \d/m);
  });

  it('takes no posts for a rail that wants none', async () => {
    expect((await fetch(`${originOf(service)}/rail/events`, { method: 'POST' })).status).toBe(404);
  });
});

describe('production with a rail that is a service', () => {
  let service: TestService;
  let rail = '';
  let stop: () => void = () => undefined;
  beforeAll(async () => {
    // Keeps the port for the rail until that starts.
    const keeper = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(keeper, 'listening');
    rail = `http://127.0.0.1:${(keeper.address() as AddressInfo).port}`;
    service = await startTestService({
      variables: {
        ...production,
        DAYBOOK_RAIL: rail,
        DAYBOOK_RAIL_SECRET: railSecret,
      },
    });
    keeper.close();
    await once(keeper, 'close');
    const env = { RAIL_SECRET: railSecret, PORT: new URL(rail).port, DAYBOOK_URL: originOf(service) };
    const server = spawn(process.execPath, ['docs/examples/rail-server.mjs'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    stop = () => void server.kill();
    await once(createInterface(server.stdout), 'line');
  });
  afterAll(async () => {
    stop();
    await service.stop();
  });
  const ask = async (path: string, body: object): Promise<Json> =>
    (await fetch(`${rail}${path}`, { method: 'POST', body: JSON.stringify(body) })).json();

  it('has money come in, once, and go out', async () => {
    const { client } = service;
    const { customer, account, reference } = await approvedCustomer(service);
    const money = {
      bankReference: 'S-1',
      amount: { minor: '700', currency: 'EUR' },
      named: [reference.toLowerCase().replace('-', ' ')],
    };
    expect(await ask('/arrive', money)).toEqual({ told: 200 });
    expect(await ask('/arrive', money)).toEqual({ told: 200 });
    await eventually(
      () => balanceOf(client, customer.id),
      (balance) => balance === 700,
    );
    const bank = await registerEur(client, customer.id);
    const { id } = expectStatus(await transferOut(client, account.id, bank.id, 300), 201);
    expect(await ask('/end', { paymentId: id, ending: { status: 'settled' } })).toEqual({ told: 200 });
    await untilTransaction(client, id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(400);
  });

  it('tells of money that nobody is named for', async () => {
    const amount = { minor: '700', currency: 'EUR' };
    expect(await ask('/arrive', { bankReference: 'S-2', amount, named: ['rent'] })).toEqual({ told: 404 });
  });

  it('believes nobody without the secret', async () => {
    const event = { type: 'payment.news', paymentId: 'Transaction:x' };
    const forged = { method: 'POST', body: JSON.stringify(event) };
    expect((await fetch(`${originOf(service)}/rail/events`, forged)).status).toBe(401);
  });
});

describe('production with nobody connected', () => {
  it('has no operator over HTTP', async () => {
    const service = await startTestService({ variables: { DAYBOOK_ENVIRONMENT: 'production' } });
    try {
      expect((await decide(service, 'Verification:x', { decision: 'APPROVED' })).status).toBe(404);
    } finally {
      await service.stop();
    }
  });
});
