/** A platform with something on each page of the console. */
import { createClient, type Daybook } from '@daybook/client';
import { eventually, type TestPlatform } from '@daybook/testing';
import { personalInfo } from '../../support/builders/verification.ts';
import { patienceMs } from '../../support/time/patience.ts';

/** What would run, or call another host, if a page took it for HTML. */
export const hostile =
  '<script>window.taken=1</script><img src="http://elsewhere.test/x" onerror="window.taken=1">';

const person = { customerType: 'INDIVIDUAL' as const, region: 'US', currencies: ['USD'] };

async function payeeOf(client: Daybook, customerId: string, accountNumber: string): Promise<string> {
  const payee = await client.createCustomerExternalAccount({
    body: {
      customerId,
      currency: 'USD',
      accountInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber,
        routingNumber: '021000021',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: hostile.slice(0, 60) },
      },
    },
  });
  return payee.id;
}

const policy = {
  permissions: ['VIEW_TRANSACTIONS' as const, 'CREATE_TRANSFERS' as const],
  defaultExecutionMode: 'APPROVAL_REQUIRED' as const,
  spendingLimits: {
    currency: 'USD',
    perTransactionLimit: 50_000,
    dailyLimit: 100_000,
    monthlyLimit: 500_000,
  },
};

/** Where nothing listens. */
export const hostileEndpoint = `http://127.0.0.1:9/${encodeURIComponent(hostile)}?q=<script>window.taken=1</script>`;

/** What else a caller may write that people are shown. */
async function inscribe(client: Daybook): Promise<void> {
  await client.createToken({ body: { name: hostile.slice(0, 100), permissions: ['VIEW'] } });
  const business = await client.createCustomer({
    body: {
      customerType: 'BUSINESS',
      region: 'US',
      businessInfo: { legalName: hostile.slice(0, 100), taxId: '12-3456789' },
    },
  });
  await client.createBeneficialOwner({
    body: {
      customerId: business.id,
      roles: ['UBO'],
      ownershipPercentage: 60,
      personalInfo: { ...personalInfo, firstName: hostile.slice(0, 60), lastName: hostile.slice(0, 60) },
    },
  });
}

/** An agent whose every payment waits for approval, and what it asks for. */
async function askingAgent({ client, baseUrl }: TestPlatform, customerId: string, path: Path) {
  const { deviceCode } = await client.createAgent({
    body: { name: `Purchaser ${hostile}`.slice(0, 100), customerId, policy },
  });
  const { accessToken } = await client.redeemDeviceCode({ path: { code: deviceCode.code } });
  const me = createClient({ baseUrl, accessToken });
  return {
    async ask(amount: number): Promise<string> {
      const { source, destination } = path;
      const body = { source: { accountId: source }, destination: { accountId: destination }, amount };
      return (await me.agentTransferOut({ body })).id;
    },
    /** Asks to pay to an address, which it needs the permissions for first. */
    async askFor(receiverUmaAddress: string, amount: number): Promise<void> {
      const { lookupId } = await client.lookUpUmaAddress({
        path: { receiverUmaAddress },
        query: { customerId },
      });
      const { id } = await me.createAgentQuote({
        body: {
          source: { sourceType: 'ACCOUNT', accountId: path.source },
          destination: { destinationType: 'UMA_ADDRESS', umaAddress: receiverUmaAddress },
          lookupId,
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: amount,
        },
      });
      await me.executeAgentQuote({ path: { quoteId: id } });
    },
    stateOf: async (actionId: string) => (await me.getAgentAction({ path: { actionId } })).status,
  };
}

type Path = { readonly source: string; readonly destination: string };

/** A wallet whose code is mailed. Gives the address. */
async function mailedTo(client: Daybook): Promise<string> {
  const email = `ada.${performance.now()}@example.com`;
  const { id: customerId } = await client.createCustomer({
    body: { ...person, fullName: hostile.slice(0, 100), email },
  });
  const { data } = await client.listCustomerInternalAccounts({
    query: { customerId, type: 'EMBEDDED_WALLET' },
  });
  const accountId = data[0]?.id ?? '';
  const credential = await client.createAuthCredential({ body: { accountId, type: 'EMAIL_OTP' } });
  if (!('id' in credential)) throw new Error('the first credential of a wallet was to be signed');
  await client.challengeAuthCredential({ path: { id: credential.id }, body: {} });
  return email;
}

export async function fill(platform: TestPlatform) {
  const { client } = platform;
  const { inboxUrl } = await client.sandboxListOutcomes();
  await client.updatePlatformConfig({ body: { webhookEndpoint: inboxUrl } });
  await inscribe(client);
  const customer = await client.createCustomer({
    body: { ...person, fullName: hostile.slice(0, 100), platformCustomerId: hostile.slice(0, 60) },
  });
  const { data } = await client.listCustomerInternalAccounts({
    query: { customerId: customer.id, currency: 'USD' },
  });
  const accountId = data[0]?.id ?? '';
  await client.fundInternalAccount({ path: { accountId }, body: { amount: 5_000_000 } });
  const payee = await payeeOf(client, customer.id, '1234567789');
  const pay = async (amount: number) => {
    const body = {
      source: { accountId },
      destination: { accountId: payee },
      amount,
      remittanceInformation: hostile.slice(0, 80),
    };
    const { id } = await client.transferOut({ body, idempotencyKey: `${hostile.slice(0, 40)}${amount}` });
    return id;
  };
  const ended = (transactionId: string) =>
    eventually(
      () => client.getTransaction({ path: { transactionId } }),
      ({ status }) => status === 'COMPLETED',
      patienceMs,
    );
  const payment = await pay(123_456);
  await ended(payment);
  const agent = await askingAgent(platform, customer.id, { source: accountId, destination: payee });
  await client
    .transferOut({
      body: { source: { accountId }, destination: { accountId: payee }, amount: 99_999_999_999 },
    })
    .catch(() => undefined);
  const mail = await mailedTo(client);
  const quoted = await quoteFor(client, { source: accountId, destination: payee });
  const told = await eventually(
    async () => client.listWebhookEvents({ query: { objectId: quoted } }),
    ({ data: sent }) => sent.length > 0 && sent.every(({ state }) => state === 'DELIVERED'),
    patienceMs,
  );
  const receive = async () => {
    const body = {
      receiverUmaAddress: customer.umaAddress,
      senderUmaAddress: '$success.usd@sandbox.daybook.test',
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 2_500,
    };
    return (await client.sandboxReceive({ body })).id;
  };
  const webhook = told.data[0]?.id ?? '';
  return { customer, accountId, payee, pay, ended, payment, quoted, webhook, mail, receive, ...agent };
}

/** A payment by a quote, which has a description. */
async function quoteFor(client: Daybook, { source, destination }: Path): Promise<string> {
  const quote = await client.createQuote({
    body: {
      source: { sourceType: 'ACCOUNT', accountId: source },
      destination: { destinationType: 'ACCOUNT', accountId: destination },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 40_000,
      immediatelyExecute: true,
      description: hostile.slice(0, 100),
    },
  });
  await eventually(
    () => client.getTransaction({ path: { transactionId: quote.transactionId } }),
    ({ status }) => status === 'COMPLETED',
    patienceMs,
  );
  return quote.transactionId;
}

export type Filled = Awaited<ReturnType<typeof fill>>;
