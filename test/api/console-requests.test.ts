import { describe, expect, it } from 'vitest';
import { forgetRequests } from '../../projections/kept/request-log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import { signIn } from '../support/http/console.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests, type TestService } from '../support/processes/service.ts';
import { createCustomer, expectStatus, fund } from '../support/resources/flows.ts';
import { customerWith } from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { issueToken } from '../support/resources/tokens.ts';
import { idOfNobody } from '../support/values/ids.ts';
import { walletWithSession } from '../support/wallets/wallets.ts';

const service = serviceOfTests();
const other = besideOfTests(service);
const silent = besideOfTests(service, {
  variables: { DAYBOOK_ROLES: 'api', DAYBOOK_REQUEST_LOG_DAYS: '0' },
});

type Filter = Readonly<Record<string, string>>;
const list = async (of: TestService, filter: Filter) =>
  expectStatus(await of.client.get('/console/requests', filter), 200);
/** Batches are written once in a second. */
const logged = async (filter: Filter, of: TestService = service) => {
  await expect.poll(async () => (await list(of, filter)).data.length).toBeGreaterThan(0);
  return (await list(of, filter)).data;
};

describe('the log of requests', () => {
  it('has what was asked, and what was answered, and finds it by whatever is known of it', async () => {
    const { account } = await customerWith(service.client, 0);
    const path = `/sandbox/internal-accounts/${account.id}/fund`;
    const sent = await service.client.post(path, { amount: 1_815 }, { 'Idempotency-Key': 'fund-1815' });
    expectStatus(sent, 200);
    const requestId = sent.headers.get('x-request-id') ?? '';
    const [row] = await logged({ requestId });
    expect(row).toMatchObject({
      id: requestId,
      requestId,
      method: 'POST',
      path,
      operationId: 'fundInternalAccount',
      status: 200,
      code: null,
    });
    expect(row.durationMs).toBeGreaterThan(0);
    expect(row.tokenId).toMatch(/^Token:/);
    for (const filter of [
      { resourceId: account.id, operationId: 'fundInternalAccount' },
      { search: account.id.slice(20).toUpperCase(), method: 'POST' },
      { search: 'fundinternal', status: '200' },
      { operationId: 'fundInternalAccount', createdAfter: row.createdAt, createdBefore: row.createdAt },
    ])
      expect((await list(service, filter)).data).toContainEqual(row);
    expect(expectStatus(await service.client.get(`/console/requests/${requestId}`), 200)).toMatchObject({
      query: '',
      requestBody: { amount: 1_815 },
      responseBody: { id: account.id },
      truncated: false,
    });
  });

  it('has refusals by status and code, and the names of wrong fields', async () => {
    const sent = await service.client.post('/customers', { customerType: 'INDIVIDUAL', region: 7 });
    expectProblem(sent, 400, 'INVALID_INPUT');
    const requestId = sent.headers.get('x-request-id') ?? '';
    const [row] = await logged({ requestId, minStatus: '400' });
    expect(row).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    const { responseBody } = expectStatus(await service.client.get(`/console/requests/${requestId}`), 200);
    expect(responseBody.code).toBe('INVALID_INPUT');
    expect(responseBody.details.errors.map(({ field }: { field: string }) => field)).toContain('region');
    expect((await list(service, { requestId, minStatus: '401' })).data).toEqual([]);
  });

  it('pages, newest first', async () => {
    for (let n = 0; n < 3; n++) await service.client.get('/tokens');
    await expect
      .poll(async () => (await list(service, { operationId: 'listTokens' })).totalCount)
      .toBeGreaterThanOrEqual(3);
    const first = await list(service, { operationId: 'listTokens', limit: '2' });
    expect(first).toMatchObject({ hasMore: true });
    const cursor = first.nextCursor;
    const next = await list(service, { operationId: 'listTokens', limit: '2', cursor });
    expect(next.data[0].createdAt <= first.data[1].createdAt).toBe(true);
    expect(next.data[0].id).not.toBe(first.data[1].id);
  });

  it('has nothing of another platform', async () => {
    const sent = await service.client.get('/config');
    const requestId = sent.headers.get('x-request-id') ?? '';
    await logged({ requestId });
    expect((await list(other, { requestId })).data).toEqual([]);
    expect((await list(other, { operationId: 'fundInternalAccount' })).data).toEqual([]);
    for (const id of [requestId, idOfNobody('Request')])
      expectProblem(await other.client.get(`/console/requests/${id}`), 404, 'REFERENCE_NOT_FOUND');
  });

  it('has nothing of who is not known, of the console, nor of a process that keeps none', async () => {
    const unknown = await service.client.raw('/config', {});
    const own = await service.client.get('/console/requests');
    const unkept = await silent.client.get('/config');
    const last = await service.client.get('/config');
    await logged({ requestId: last.headers.get('x-request-id') ?? '' });
    const ids = [unknown, own, unkept].map(({ headers }) => headers.get('x-request-id'));
    const rows = await query(service.databaseUrl, 'select id from daybook.request_log where id = any($1)', [
      ids,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('a body in the log of requests', () => {
  it('has no secret and nothing personal, from whichever operation', async () => {
    const { client } = service;
    const token = await issueToken(client, ['VIEW']);
    const { cookie } = await signIn(service, token);
    const wallet = await walletWithSession(client);
    const person = {
      customerType: 'INDIVIDUAL',
      fullName: 'Augusta Byron King',
      birthDate: '1815-12-10',
      region: 'US',
      email: 'augusta@ockham.example',
      platformCustomerId: 'countess-of-lovelace',
      currencies: ['USD'],
    };
    const customer = expectStatus(await client.post('/customers', person), 201);
    const info = accountInfoInput('USD_ACCOUNT');
    await client.post('/customers/external-accounts', {
      customerId: customer.id,
      currency: 'USD',
      accountInfo: info,
    });
    await client.get('/customers', { platformCustomerId: 'countess-of-lovelace', limit: '7' });
    await client.post('/auth/credentials/AuthMethod:01a1f84e-cc35-73e8-b3e0-000000000001/verify', {
      type: 'EMAIL_OTP',
      otp: 431_815,
      clientPublicKey: 'hush-hush-key',
    });
    await client.get('/transactions', { senderAccount: '1000001789', account: '4111111111111111' });
    await client.post('/customers/external-accounts', {
      customerId: customer.id,
      currency: 'USD',
      account: 4_111_111_111_111_111,
      accountInfo: { ...info, bankAccount: 123_456_789 },
    });
    const member = { savingsAccount: 555_666_777, businessType: 'MYDISEASE', kycStatus: 'SECRETWORD' };
    await client.post('/customers', { ...person, ...member });
    const last = await client.post('/customers', { 'Augusta Byron King': 'Ockham', status: 'ada' });
    await logged({ requestId: last.headers.get('x-request-id') ?? '' });

    const rows = await query(
      service.databaseUrl,
      `select l::text as row, b::text as bodies from daybook.request_log l left join daybook.request_bodies b using (id)`,
    );
    const text = JSON.stringify(rows);
    expect(text).toContain('clientSecret');
    expect(text).toContain('limit=7');
    const { accountNumber } = info as unknown as { readonly accountNumber: string };
    const secrets = [
      token.clientSecret,
      service.credentials.clientSecret,
      cookie.split('=')[1],
      'hush-hush-key',
      '431815',
      ...Object.values(wallet).filter((one) => typeof one === 'string' && !one.includes(':')),
    ];
    const numbers = ['1000001789', '4111111111111111', '123456789', '555666777'];
    const personal = [
      ...numbers,
      'MYDISEASE',
      'SECRETWORD',
      'Augusta',
      '1815-12-10',
      'ockham',
      'countess',
      accountNumber,
      'Ockham',
      '"ada"',
    ];
    for (const hidden of [...secrets, ...personal])
      expect([hidden, text.toLowerCase().includes(`${hidden}`.toLowerCase())]).toEqual([hidden, false]);
  });
});

describe('what is kept of the log of requests', () => {
  it('ends with its days, and for each platform with a number of rows', async () => {
    const { databaseUrl } = service;
    const pool = createPool({ url: databaseUrl, max: 1, name: 'test' });
    try {
      const id = (n: string) => `'Request:00000000-0000-7000-8000-' || lpad(${n}, 12, '0')`;
      const row = (platform: string, from: string, n: number, at: string) =>
        query(
          databaseUrl,
          `with l as (
             insert into daybook.request_log
             select ${id(`(${from} + n)::text`)}, $1, ${at}, 'GET', '/config', 'getPlatformConfig', 200, null, 1, null, null, ''
             from generate_series(1, $2::int) n returning id)
           insert into daybook.request_bodies select id, '', null, null, false from l`,
          [platform, n],
        );
      const many = 'Platform:00000000-0000-7000-8000-000000000001';
      const few = 'Platform:00000000-0000-7000-8000-000000000002';
      await row(many, '10000', 25, `now() - n * interval '1 second'`);
      await row(few, '20000', 5, `now() - n * interval '1 day'`);
      await forgetRequests(pool, new Date(Date.now() - 2.5 * 86_400_000), 10);
      const left = async (platform: string) => {
        const rows = await query(
          databaseUrl,
          'select l.id from daybook.request_log l join daybook.request_bodies b using (id) where platform_id = $1 order by id',
          [platform],
        );
        return rows.map(({ id: one }) => Number(`${one}`.slice(-5)));
      };
      expect(await left(many)).toEqual(Array.from({ length: 10 }, (_, n) => 10_001 + n));
      expect(await left(few)).toEqual([20_001, 20_002]);
      const orphans = await query(
        databaseUrl,
        'select id from daybook.request_bodies where id not in (select id from daybook.request_log)',
      );
      expect(orphans).toEqual([]);
    } finally {
      await pool.end();
    }
  });
});

it('costs its caller nothing where it cannot be written', async () => {
  await query(service.databaseUrl, 'alter table daybook.request_log rename to gone');
  try {
    const customer = await createCustomer(service.client);
    expect(customer.id).toMatch(/^Customer:/);
    const { account } = await customerWith(service.client, 0);
    await fund(service.client, account.id, 1);
    await expect
      .poll(async () => await (await fetch(`${new URL(service.url).origin}/metrics`)).text())
      .toMatch(/daybook_request_log_dropped_total [1-9]/);
  } finally {
    await query(service.databaseUrl, 'alter table daybook.gone rename to request_log');
  }
});
