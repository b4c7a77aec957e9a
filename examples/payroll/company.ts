/** A company of its own for tests, with money, that nobody else knows. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { eventually } from '@daybook/testing';
import { newPlatform } from '@daybook/testing/vitest';
import { onTestFinished } from 'vitest';
import { type Bookkeeping, keepBooks } from './bookkeeping.ts';
import { type Employee, type Payslip, payrollOn, type Written } from './payroll.ts';

export const funds = 1_000_000;
/** What comes takes a moment, and longer where the machine has much else to do. */
export const patienceMs = 60_000;
const onItsWay = ['CREATED', 'PENDING', 'PROCESSING'];

/** The last three digits of an account number choose how payments to it end: those of `suffix`. */
export const employee = (name: string, suffix = '100'): Employee => {
  hired += 1;
  return { name, bank: { accountNumber: `${1_000_000 + hired}${suffix}` } };
};
let hired = 0;

export async function newCompany() {
  const platform = await newPlatform();
  const { client } = platform;
  const { data } = await client.listPlatformInternalAccounts({ query: { currency: 'USD' } });
  const accountId = data[0]?.id ?? '';
  await client.fundInternalAccount({ path: { accountId }, body: { amount: funds } });
  const salaries = new Map<string, Written>();
  const now = async () => new Date((await client.sandboxGetClock()).now);
  const payroll = payrollOn(client, { accountId, salaries, now });

  const webhook: typeof platform.webhook = (type, match, timeoutMs = patienceMs) =>
    platform.webhook(type, match, timeoutMs);
  const payment = (transactionId: string) => client.getTransaction({ path: { transactionId } });
  return {
    ...platform,
    accountId,
    salaries,
    payroll,
    payment,
    webhook,
    async balance() {
      const { data: accounts } = await client.listPlatformInternalAccounts({ query: { currency: 'USD' } });
      return accounts[0]?.balance.amount;
    },
    /** Hires somebody and pays a month: the id of the payment. */
    async pay(suffix: string, salary: number, month = '2026-11') {
      const [payslip] = await payroll.pay(month, [
        await payroll.hire(employee('Ada Lovelace', suffix), salary),
      ]);
      return paid(payslip);
    },
    ending: (payslip: Payslip | undefined) =>
      eventually(
        () => payment(paid(payslip)),
        ({ status }) => !onItsWay.includes(status),
        patienceMs,
      ),
    /** From now on the company hears of its payments at an address of its own, until the test ends. */
    async hear(): Promise<Bookkeeping & { readonly address: string }> {
      const { webhookPublicKey = '' } = await client.getPlatformConfig();
      const bookkeeping = keepBooks(webhookPublicKey);
      const { server } = bookkeeping;
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      await client.updatePlatformConfig({ body: { webhookEndpoint: address } });
      return Object.assign(bookkeeping, { address });
    },
  };
}

export type Company = Awaited<ReturnType<typeof newCompany>>;

export function paid(payslip: Payslip | undefined): string {
  if (payslip && 'transactionId' in payslip) return payslip.transactionId;
  throw new Error(`not paid: ${JSON.stringify(payslip)}`);
}

export async function idsOf(payments: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  const ids = [];
  for await (const { id } of payments) ids.push(id);
  return ids;
}
