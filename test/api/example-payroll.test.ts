/** The payroll of examples/, when the service has forgotten its keys: those keep to the clock of the installation. */
import { createClient, type Daybook, NoAnswer } from '@daybook/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Employee, type Payroll, payrollOn, type Written } from '../../examples/payroll/payroll.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';

const hourMs = 3_600_000;
const month = '2026-11';
const ibans = ['DE89370400440532013000', 'GB29NWBK60161331926819', 'NL91ABNA0417164300'];

let hired = 0;
const paidInDollars = (): Employee => ({ name: 'Ada', bank: { accountNumber: `${1_000_000 + hired++}100` } });
const paidInEuros = (): Employee => ({ name: 'Emmy', bank: { iban: ibans.pop() ?? '' } });

let aheadMs = 0;
const now = () => new Date(Date.now() + aheadMs);
let service: TestService;
let client: Daybook;
let payroll: Payroll;
beforeAll(async () => {
  service = await startTestService({ clock: { now } });
  client = createClient({ baseUrl: service.url, ...service.credentials, retries: 0 });
  const { data } = await client.listPlatformInternalAccounts({ query: { currency: 'USD' } });
  const accountId = data[0]?.id ?? '';
  await client.fundInternalAccount({ path: { accountId }, body: { amount: 1_000_000 } });
  payroll = payrollOn(client, { accountId, salaries: new Map<string, Written>(), now });
});
afterAll(() => service.stop());

async function idsOf(payments: ReturnType<Payroll['paidTo']>): Promise<readonly string[]> {
  const ids = [];
  for await (const { id } of payments) ids.push(id);
  return ids;
}

describe('a month that is run again 25 hours later', () => {
  it('is paid once', async () => {
    const staff = [await payroll.hire(paidInDollars(), 3_000), await payroll.hire(paidInEuros(), 5_000)];
    const first = await payroll.pay(month, staff);
    aheadMs += 25 * hourMs;
    expect(await payroll.pay(month, staff)).toEqual(first);
    for (const employee of staff) expect(await idsOf(payroll.paidTo(employee))).toHaveLength(1);
  });

  it.each([
    ['a transfer had gone out', paidInDollars, 'transferOut', 'AFTER'],
    ['a transfer had not gone out', paidInDollars, 'transferOut', 'BEFORE'],
    ['a quote had been executed', paidInEuros, 'createQuote', 'AFTER'],
    ['a quote had not been executed', paidInEuros, 'createQuote', 'BEFORE'],
  ] as const)(
    'is paid once to everybody where the run broke off when %s',
    async (_how, who, operationId, when) => {
      const staff = [await payroll.hire(who(), 3_000), await payroll.hire(paidInDollars(), 3_000)];
      // The salary of the month before is of the same amount, and is none of this one.
      await payroll.pay('2026-10', staff);
      await client.sandboxCreateFault({
        body: { effect: { kind: 'DROP', when }, match: { operationId }, times: 1 },
      });
      await expect(payroll.pay(month, staff)).rejects.toThrow(NoAnswer);
      aheadMs += 25 * hourMs;
      const payslips = await payroll.pay(month, staff);
      expect(await payroll.pay(month, staff)).toEqual(payslips);
      for (const [n, employee] of staff.entries()) {
        const ids = await idsOf(payroll.paidTo(employee));
        expect(ids).toHaveLength(2);
        expect(payslips[n]).toEqual({ accountId: employee.accountId, transactionId: ids[0] });
      }
    },
  );
});
