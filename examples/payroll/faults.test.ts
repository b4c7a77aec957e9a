/** What goes wrong once in a thousand times: the company has it happen. */
import { DaybookError, type Schemas } from '@daybook/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Company, employee, funds, idsOf, newCompany, paid } from './company.ts';
import { payrollOn } from './payroll.ts';

type Rule = Schemas['SandboxFaultRequest'];

let company: Company;
beforeAll(async () => {
  company = await newCompany();
});

const have = (effect: Rule['effect'], match: Rule['match'] = {}, times = 1, of = company) =>
  of.client.sandboxCreateFault({ body: { effect, match, times } });
const transferOut = { operationId: 'transferOut' };

describe('a salary is paid once', () => {
  it.each([
    ['the connection breaks off after the money has moved', { kind: 'DROP', when: 'AFTER' }, 1],
    ['the connection breaks off before anything has happened', { kind: 'DROP', when: 'BEFORE' }, 1],
    ['the service is away twice', { kind: 'REFUSE', code: 'SERVICE_UNAVAILABLE' }, 2],
    ['there were too many requests', { kind: 'REFUSE', code: 'RATE_LIMITED' }, 1],
  ] as const)('though %s', async (_what, effect, times) => {
    const before = (await company.balance()) ?? 0;
    const hired = await company.payroll.hire(employee('Ada Lovelace'), 2_000);
    await have(effect, transferOut, times);
    paid((await company.payroll.pay('2026-11', [hired]))[0]);
    expect(await company.balance()).toBe(before - 2_000);
    expect(await idsOf(company.payroll.paidTo(hired))).toHaveLength(1);
    expect((await company.client.sandboxListFaults()).data).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is on the payslip, and the others are paid', async () => {
    const staff = [
      await company.payroll.hire(employee('Kurt Gödel'), 1_000),
      await company.payroll.hire(employee('Alan Turing'), 1_000),
    ];
    const [first] = staff;
    const effect = { kind: 'REFUSE', code: 'INSUFFICIENT_BALANCE' } as const;
    await have(effect, { ...transferOut, accountId: first?.accountId ?? '' });
    expect(await company.payroll.pay('2026-11', staff)).toMatchObject([
      { refusedWith: 'INSUFFICIENT_BALANCE' },
      { transactionId: expect.any(String) },
    ]);
    expect(await company.payroll.pay('2026-12', staff)).toMatchObject([
      { transactionId: expect.any(String) },
      { transactionId: expect.any(String) },
    ]);
  });

  it.each(['USD', 'EUR'] as const)('is none any more once there is money, in %s', async (currency) => {
    const one = await newCompany();
    const bank = { iban: 'DE89370400440532013000' };
    const who = currency === 'USD' ? employee('Ada Lovelace') : { name: 'Emmy Noether', bank };
    const hired = await one.payroll.hire(who, 2 * funds);
    const refused = [{ accountId: hired.accountId, refusedWith: 'INSUFFICIENT_BALANCE' }];
    for (let times = 2; times > 0; times -= 1)
      expect(await one.payroll.pay('2026-11', [hired])).toEqual(refused);
    const path = { accountId: one.accountId };
    await one.client.fundInternalAccount({ path, body: { amount: 3 * funds } });
    const runs = await Promise.all([1, 2, 3].map(() => one.payroll.pay('2026-11', [hired])));
    runs.push(await one.payroll.pay('2026-11', [hired]));
    const [id] = await idsOf(one.payroll.paidTo(hired));
    expect(runs).toEqual(runs.map(() => [{ accountId: hired.accountId, transactionId: id }]));
    expect(await one.balance()).toBe(2 * funds);
  });

  it.each([
    [400, 'INSUFFICIENT_BALANCE'],
    [403, 'FORBIDDEN'],
    [404, 'UNKNOWN'],
  ])('with %d %s pays nobody twice who was paid before', async (status, code) => {
    const { payroll, client, salaries, accountId } = await newCompany();
    const hired = await payroll.hire(employee('Ada Lovelace'), 2_000);
    const id = paid((await payroll.pay('2026-11', [hired]))[0]);
    // As where the process that paid has ended before it wrote that down.
    for (const [name, { transactionId: _, ...begun }] of salaries) salaries.set(name, begun);
    const transferOut = async () => {
      throw new DaybookError(new Response(null, { status }), { code, message: 'no' });
    };
    const payer = { accountId, salaries, now: () => new Date() };
    const refused = payrollOn({ ...client, transferOut }, payer);
    expect(await refused.pay('2026-11', [hired])).toMatchObject([{ refusedWith: code }]);
    expect(paid((await payroll.pay('2026-11', [hired]))[0])).toBe(id);
    expect(await idsOf(payroll.paidTo(hired))).toEqual([id]);
  });

  it('that was taken back never happens', async () => {
    const { id: faultId } = await have({ kind: 'REFUSE', code: 'INTERNAL_ERROR' }, transferOut, 50);
    await company.client.sandboxDeleteFault({ path: { faultId } });
    await company.pay('100', 1_000);
  });

  it('of another company is not seen here', async () => {
    const other = await newCompany();
    await have({ kind: 'REFUSE', code: 'INTERNAL_ERROR' }, {}, 50, other);
    await company.pay('100', 1_000);
    expect((await company.client.sandboxListFaults()).data).toEqual([]);
  });
});

/** The longest is less than the client waits: a webhook takes its time where the machine has much else to do. */
const delays = ['PT0.5S', 'PT2S', 'PT8S', 'PT25S'];

/** Whether the webhook of a payment comes before the answer to it, which is held back for so long. */
async function isHeardFirst(delay: string): Promise<boolean> {
  const slow = await newCompany();
  await have({ kind: 'DELAY', when: 'AFTER', delay }, transferOut, 1, slow);
  let isAnswered = false;
  const answered = slow.pay('100', 1_000).then((id) => {
    isAnswered = true;
    return id;
  });
  const { data } = await slow.webhook('OUTGOING_PAYMENT.PENDING');
  const isFirst = !isAnswered;
  expect(await answered).toBe(data.id);
  return isFirst;
}

describe('the bookkeeping', () => {
  it('writes down once what it is told twice', async () => {
    const one = await newCompany();
    const bookkeeping = await one.hear();
    await have({ kind: 'DUPLICATE_WEBHOOK' }, { webhookType: 'OUTGOING_PAYMENT.COMPLETED' }, 1, one);
    const id = await one.pay('100', 1_000);
    await expect.poll(() => bookkeeping.endings.get(id)).toBe('paid');
    expect(bookkeeping.counts.written).toBe(1);
    await one.webhook('OUTGOING_PAYMENT.COMPLETED', { id });
  });

  it('may know of a payment before the answer to it is there', async () => {
    for (const delay of delays) if (await isHeardFirst(delay)) return;
    expect.fail('the answer was there first');
  });
});

describe('a bank', () => {
  it('sends a salary back two days later', async () => {
    const { client, pay, payment, balance, books, webhook } = await newCompany();
    await client.sandboxFreezeClock({ body: {} });
    const body = { effect: { kind: 'RETURN_PAYMENT', delay: 'P2D' }, match: {}, times: 1 } as const;
    await client.sandboxCreateFault({ body });
    const id = await pay('100', 3_000);
    await client.sandboxAdvanceClock({ body: { duration: 'PT1M' } });
    expect((await payment(id)).status).toBe('COMPLETED');
    expect(await balance()).toBe(funds - 3_000);
    await client.sandboxAdvanceClock({ body: { duration: 'P2D' } });
    expect((await payment(id)).status).toBe('FAILED');
    expect((await webhook('OUTGOING_PAYMENT.FAILED', { id })).data.status).toBe('FAILED');
    expect(await balance()).toBe(funds);
    await expect(books).toBeBalanced();
  });
});
