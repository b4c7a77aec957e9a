import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { clientWith, serviceOfTests, type TestService } from '../support/processes/service.ts';
import { newDomain } from '../support/resources/domains.ts';
import { accountOf, createCustomer, expectStatus, fund, quoteBody } from '../support/resources/flows.ts';
import { customerWith, platformAccount, registerEur } from '../support/resources/payments.ts';
import { startBeside } from '../support/resources/platforms.ts';

const service = serviceOfTests();

/** A platform of the test's own. */
async function newPlatform(): Promise<TestService> {
  const platform = await startBeside(service);
  onTestFinished(() => platform.stop());
  return platform;
}

const patched = async (client: Client, body: object): Promise<Json> =>
  expectStatus(await client.patch('/config', body), 200);
const configOf = async (client: Client): Promise<Json> => expectStatus(await client.get('/config'), 200);

const currency = (currencyCode: string, overrides: object = {}) => ({
  currencyCode,
  minAmount: 100,
  maxAmount: 50_000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
  ...overrides,
});
const codesOf = ({ supportedCurrencies }: Json): string[] =>
  supportedCurrencies.map(({ currencyCode }: Json) => currencyCode);

describe('GET /config', () => {
  it('shows what a new platform starts with', async () => {
    const { client } = await newPlatform();
    const config = await configOf(client);
    expect(config).toMatchObject({
      id: expect.stringMatching(/^PlatformConfig:[0-9a-f-]{36}$/),
      umaDomain: `${config.proxyUmaSubdomain}.daybook.test`,
      isRegulatedFinancialInstitution: false,
      embeddedWalletConfig: { otpLength: 6, alphanumeric: false, expirationSeconds: 300 },
    });
    expect(config.embeddedWalletConfig.sendFromEmailSenderName).toBe('Notifications');
    expect(config).not.toHaveProperty('webhookEndpoint');
    expect(codesOf(config)).toEqual(expect.arrayContaining(['USD', 'EUR', 'MXN']));
  });

  it.each([['VIEW'], ['TRANSACT'], ['MANAGE']])('is open to a token with %s', async (permission) => {
    const client = await clientWith(service, [permission]);
    expectStatus(await client.get('/config'), 200);
  });
});

describe('PATCH /config', () => {
  it('changes what is sent and leaves the rest', async () => {
    const { client } = await newPlatform();
    const before = await configOf(client);
    const after = await patched(client, { umaDomain: 'pay.example.com' });
    expect(after).toEqual({ ...before, umaDomain: 'pay.example.com', updatedAt: expect.any(String) });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await configOf(client)).toEqual(after);
  });

  it('changes nothing when nothing is sent', async () => {
    const { client } = await newPlatform();
    const before = await configOf(client);
    expect(await patched(client, {})).toEqual(before);
    expect(await patched(client, { id: 'PlatformConfig:x', isRegulatedFinancialInstitution: true })).toEqual(
      before,
    );
  });

  it('takes back what a client of double-precision numbers has read', async () => {
    const { client } = await newPlatform();
    const config = await configOf(client);
    const written = JSON.parse(JSON.stringify(config));
    expect(written).toEqual(config);
    const after = await patched(client, written);
    expect(after).toEqual({ ...config, updatedAt: expect.any(String) });
    for (const { maxAmount } of after.supportedCurrencies) expect(Number.isSafeInteger(maxAmount)).toBe(true);
  });

  it('replaces the whole list of currencies', async () => {
    const { client } = await newPlatform();
    const item = currency('MXN', {
      requiredCounterpartyFields: [{ name: 'FULL_NAME', mandatory: true }],
      enabledTransactionTypes: ['INCOMING'],
    });
    const { supportedCurrencies } = await patched(client, { supportedCurrencies: [item] });
    const readOnly = { providerRequiredCustomerFields: [], providerRequiredCounterpartyCustomerFields: [] };
    expect(supportedCurrencies).toEqual([{ ...item, ...readOnly }]);
  });

  it('merges the wallet configuration field by field', async () => {
    const { client } = await newPlatform();
    await patched(client, { embeddedWalletConfig: { appName: 'Ada Pay', otpLength: 8 } });
    const { embeddedWalletConfig } = await patched(client, {
      embeddedWalletConfig: { otpLength: 4, logoUrl: 'https://pay.example/logo.png' },
    });
    expect(embeddedWalletConfig).toEqual({
      appName: 'Ada Pay',
      otpLength: 4,
      logoUrl: 'https://pay.example/logo.png',
      alphanumeric: false,
      expirationSeconds: 300,
      sendFromEmailSenderName: 'Notifications',
    });
  });

  it.each([
    ['appName', 'Ada Pay'],
    ['sendFromEmailAddress', 'codes@pay.example'],
    ['replyToEmailAddress', 'help@pay.example'],
    ['logoUrl', 'https://pay.example/logo.png'],
  ])('takes the wallet setting %s back with null', async (field, value) => {
    const { client } = await newPlatform();
    const { embeddedWalletConfig: before } = await configOf(client);
    const set = (setting: unknown) => patched(client, { embeddedWalletConfig: { [field]: setting } });
    expect((await set(value)).embeddedWalletConfig).toEqual({ ...before, [field]: value });
    expect((await set(null)).embeddedWalletConfig).toEqual(before);
    expect((await configOf(client)).embeddedWalletConfig).toEqual(before);
  });

  it.each([[null], ['']])('removes the webhook endpoint with %j', async (empty) => {
    const { client } = await newPlatform();
    const webhookEndpoint = 'https://pay.example/hooks';
    expect((await patched(client, { webhookEndpoint })).webhookEndpoint).toBe(webhookEndpoint);
    expect((await patched(client, { umaDomain: newDomain() })).webhookEndpoint).toBe(webhookEndpoint);
    expect(await patched(client, { webhookEndpoint: empty })).not.toHaveProperty('webhookEndpoint');
    expect(await configOf(client)).not.toHaveProperty('webhookEndpoint');
  });

  it('keeps a plain http endpoint as it is, and the domain in lower case', async () => {
    const { client } = await newPlatform();
    const body = { webhookEndpoint: 'http://127.0.0.1:9000/hooks', umaDomain: 'Paid.Example.COM' };
    expect(await patched(client, body)).toMatchObject({ ...body, umaDomain: 'paid.example.com' });
  });

  it.each(['XN--e1afmkfd.xn--p1ai', 'example.xn--p1ai', 'bank.xn--fiqs8s'])('takes %s', async (domain) => {
    const { client } = await newPlatform();
    const mail = { appName: 'Pay', sendFromEmailAddress: `pay@${domain}` };
    const config = await patched(client, { umaDomain: domain, embeddedWalletConfig: mail });
    expect(config).toMatchObject({ umaDomain: domain.toLowerCase(), embeddedWalletConfig: mail });
  });

  it.each([
    ['umaDomain', 'no-dot'],
    ['umaDomain', ''],
    ['umaDomain', 'https://pay.example'],
    ['umaDomain', '-pay.example'],
    ['umaDomain', 'pay..example'],
    ['umaDomain', 'pay.example:8080'],
    ['umaDomain', 'pay example.com'],
    ['umaDomain', `${'a'.repeat(64)}.example`],
    ['umaDomain', 'example.xn--'],
    ['umaDomain', 'example.xn--p1ai-'],
    ['umaDomain', 'example.1a'],
    ['umaDomain', `${'a.'.repeat(130)}example`],
    ['umaDomain', null],
    ['umaDomain', 7],
    ['webhookEndpoint', 'not a url'],
    ['webhookEndpoint', 'ftp://pay.example/hooks'],
    ['webhookEndpoint', `https://pay.example/${'a'.repeat(2048)}`],
    ['supportedCurrencies', []],
    ['supportedCurrencies', {}],
    ['embeddedWalletConfig', null],
    ['supportedCurrencies', [currency('USD'), currency('USD')]],
  ])('refuses %s as %j', async (field, value) => {
    const before = await configOf(service.client);
    const problem = expectProblem(await service.client.patch('/config', { [field]: value }), 400);
    expect([problem.code, namedFields(problem)]).toEqual(['INVALID_INPUT', [field]]);
    expect(await configOf(service.client)).toEqual(before);
  });

  it('says which kinds of URL the webhook endpoint may have', async () => {
    const problem = expectProblem(
      await service.client.patch('/config', { webhookEndpoint: 'ftp://a.example' }),
      400,
    );
    expect(JSON.stringify(problem)).toContain('must be an http or https URL');
  });

  it.each([
    ['supportedCurrencies.0.maxAmount', { minAmount: 2, maxAmount: 1 }],
    ['supportedCurrencies.0.minAmount', { minAmount: -1 }],
    ['supportedCurrencies.0.minAmount', { minAmount: 1.5 }],
    ['supportedCurrencies.0.maxAmount', { maxAmount: 9_007_199_254_740_992n }],
    ['supportedCurrencies.0.dailyVolumeLimit', { dailyVolumeLimit: -1 }],
    ['supportedCurrencies.0.dailyVolumeLimit', { dailyVolumeLimit: 9_007_199_254_740_992n }],
    ['supportedCurrencies.0.velocityLimit', { velocityLimit: 1_000_001 }],
    ['supportedCurrencies.0.maxAmount', { maxAmount: undefined }],
    ['supportedCurrencies.0.enabledTransactionTypes.0', { enabledTransactionTypes: ['BOTH'] }],
    ['supportedCurrencies.0.enabledTransactionTypes', { enabledTransactionTypes: undefined }],
    ['supportedCurrencies.0.requiredCounterpartyFields', { requiredCounterpartyFields: undefined }],
    [
      'supportedCurrencies.0.requiredCounterpartyFields.0.name',
      { requiredCounterpartyFields: [{ name: 'SHOE_SIZE', mandatory: true }] },
    ],
  ])('refuses a currency for its %s', async (field, wrong) => {
    const body = { supportedCurrencies: [currency('USD', wrong)] };
    const problem = expectProblem(await service.client.patch('/config', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual([field]);
  });

  it.each([
    ['otpLength', 3],
    ['otpLength', 13],
    ['otpLength', null],
    ['sendFromEmailSenderName', null],
    ['sendFromEmailAddress', ''],
    ['alphanumeric', 'yes'],
    ['expirationSeconds', 0],
    ['expirationSeconds', 86_401],
    ['appName', 'a'.repeat(256)],
    ['sendFromEmailAddress', 'nobody'],
    ['logoUrl', 'logo'],
    ['logoUrl', 'javascript:alert(1)'],
  ])('refuses the wallet setting %s as %j', async (field, value) => {
    const body = { embeddedWalletConfig: { [field]: value } };
    const problem = expectProblem(await service.client.patch('/config', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual([`embeddedWalletConfig.${field}`]);
  });

  it('names every currency that is unknown', async () => {
    const body = { supportedCurrencies: [currency('USD'), currency('XXX'), currency('usd')] };
    const problem = expectProblem(await service.client.patch('/config', body), 400, 'INVALID_CURRENCY');
    expect(problem.details.currencies).toEqual(['XXX', 'usd']);
  });

  it.each([['VIEW'], ['TRANSACT']])('is closed to a token with %s', async (permission) => {
    const client = await clientWith(service, [permission]);
    const problem = expectProblem(await client.patch('/config', {}), 403, 'FORBIDDEN');
    expect(problem.details.requiredPermission).toBe('MANAGE');
  });

  it('is open to a token with MANAGE alone', async () => {
    const client = await clientWith(service, ['MANAGE']);
    expectStatus(await client.patch('/config', {}), 200);
  });

  it('does not touch another platform', async () => {
    const { client } = await newPlatform();
    await patched(client, { umaDomain: 'mine.example' });
    expect((await configOf(service.client)).umaDomain).toBe('daybook.test');
  });

  it("refuses the domain of the sandbox's own addresses", async () => {
    const { client } = await newPlatform();
    const answer = await client.patch('/config', { umaDomain: 'sandbox.daybook.test' });
    expectProblem(answer, 400, 'INVALID_INPUT');
  });
});

describe('the configuration of a platform', () => {
  it('gives new customers addresses at its domain', async () => {
    const { client } = await newPlatform();
    const old = await createCustomer(client);
    await patched(client, { umaDomain: 'pay.example.org' });
    expect((await createCustomer(client)).umaAddress).toMatch(/^\$[a-z0-9]+@pay\.example\.org$/);
    expect((await client.get(`/customers/${old.id}`)).body.umaAddress).toBe(old.umaAddress);
    const own = { customerType: 'INDIVIDUAL', umaAddress: old.umaAddress.replace('$', '$ada-') };
    expectProblem(await client.post('/customers', own), 400, 'INVALID_UMA_ADDRESS');
  });

  it('can forbid payments out in a currency', async () => {
    const { client } = await newPlatform();
    const incoming = currency('USD', { enabledTransactionTypes: ['INCOMING'] });
    await patched(client, { supportedCurrencies: [incoming, currency('EUR')] });
    const { customer, account } = await customerWith(client, 1_000);
    const payee = await registerEur(client, customer.id);
    const problem = expectProblem(
      await client.post('/quotes', quoteBody(account.id, payee.id)),
      400,
      'INVALID_CURRENCY',
    );
    expect(problem.details.currencies).toEqual(['USD']);
  });

  it('opens an account of the platform for each new currency, once', async () => {
    const { client } = await newPlatform();
    expect(await platformAccount(client, 'CAD')).toBeUndefined();
    await patched(client, { supportedCurrencies: [currency('USD'), currency('CAD')] });
    const opened = await platformAccount(client, 'CAD');
    expect(opened).toMatchObject({ type: 'INTERNAL_FIAT', status: 'ACTIVE', balance: { amount: 0 } });
    await fund(client, opened.id, 700);
    await patched(client, { supportedCurrencies: [currency('CAD')] });
    const { data } = expectStatus(await client.get('/platform/internal-accounts', { currency: 'CAD' }), 200);
    expect(data.map(({ id, balance }: Json) => [id, balance.amount])).toEqual([[opened.id, 700]]);
    expect((await platformAccount(client)).status).toBe('ACTIVE');
  });

  it('says what is known of the other side where the platform wants it', async () => {
    const { client } = await newPlatform();
    const wanted = [
      { name: 'FULL_NAME', mandatory: true },
      { name: 'BIRTH_DATE', mandatory: false },
    ];
    const asking = currency('EUR', { requiredCounterpartyFields: wanted });
    await patched(client, { supportedCurrencies: [currency('USD'), asking] });
    const { customer } = await customerWith(client, 0);
    const payee = await registerEur(client, customer.id);
    const account = await accountOf(client, customer.id);
    const quoted = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    expect(quoted.counterpartyInformation).toEqual({ FULL_NAME: 'Ada Lovelace' });
  });
});
