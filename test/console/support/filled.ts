/** A platform with something on each page of the console. */
import type { Daybook } from '@daybook/client';
import { eventually, type TestPlatform } from '@daybook/testing';

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

export async function fill({ client }: TestPlatform) {
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
    const body = { source: { accountId }, destination: { accountId: payee }, amount };
    const { id } = await client.transferOut({ body, idempotencyKey: `${hostile.slice(0, 40)}${amount}` });
    return id;
  };
  const ended = (transactionId: string) =>
    eventually(
      () => client.getTransaction({ path: { transactionId } }),
      ({ status }) => status === 'COMPLETED',
    );
  const payment = await pay(123_456);
  await ended(payment);
  await client.createAgent({
    body: { name: `Purchaser ${hostile}`.slice(0, 100), customerId: customer.id, policy },
  });
  await client
    .transferOut({
      body: { source: { accountId }, destination: { accountId: payee }, amount: 99_999_999_999 },
    })
    .catch(() => undefined);
  const webhooks = await eventually(
    async () => client.listWebhookEvents(),
    ({ data: told }) => told.some(({ state }) => state === 'DELIVERED'),
  );
  return { customer, accountId, payee, pay, ended, payment, webhook: webhooks.data[0]?.id ?? '' };
}

export type Filled = Awaited<ReturnType<typeof fill>>;
