import { eventually } from '@daybook/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Company, employee, funds, idsOf, newCompany, paid, patienceMs } from './company.ts';
import type { Hired } from './payroll.ts';

const emmy = { name: 'Emmy Noether', bank: { iban: 'DE89370400440532013000' } };

let company: Company;
beforeAll(async () => {
  company = await newCompany();
});

describe('a payroll', () => {
  it('pays everybody', async () => {
    const { payroll, ending, balance, books } = await newCompany();
    const staff = [
      await payroll.hire(employee('Ada Lovelace'), 5_000),
      await payroll.hire(employee('Grace Hopper'), 7_000),
    ];
    const payslips = await payroll.pay('2026-11', staff);
    for (const payslip of payslips) expect(await ending(payslip)).toMatchObject({ status: 'COMPLETED' });
    expect(await balance()).toBe(funds - 12_000);
    await expect(books).toBeBalanced();
    expect(await books.inFlight()).toEqual({});
  });

  it('pays in euros what is earned in dollars', async () => {
    const { payroll, ending } = company;
    const [payslip] = await payroll.pay('2026-11', [await payroll.hire(emmy, 10_000)]);
    const payment = await ending(payslip);
    expect(payment).toMatchObject({ status: 'COMPLETED', sentAmount: { amount: 10_000 } });
    expect(payment.receivedAmount.currency.code).toBe('EUR');
  });

  it('pays nobody what the company does not have, and everybody else', async () => {
    const { payroll } = company;
    const tooMuch = await payroll.hire(employee('Ada Lovelace'), 100 * funds);
    const enough = await payroll.hire(employee('Grace Hopper'), 1);
    const payslips = await payroll.pay('2026-11', [tooMuch, enough]);
    expect(payslips).toEqual([
      { accountId: tooMuch.accountId, refusedWith: 'INSUFFICIENT_BALANCE' },
      { accountId: enough.accountId, transactionId: expect.stringMatching(/^Transaction:/) },
    ]);
  });
});

describe('a month', () => {
  let hired: Hired;
  beforeAll(async () => {
    hired = await company.payroll.hire(employee('Grace Hopper'), 2_000);
  });

  it('is paid once, however often the payroll is run', async () => {
    const first = await company.payroll.pay('2026-01', [hired]);
    expect(await company.payroll.pay('2026-01', [hired])).toEqual(first);
    expect(await idsOf(company.payroll.paidTo(hired))).toHaveLength(1);
  });

  it('is paid once when the payroll is run five times at the same moment', async () => {
    const before = (await idsOf(company.payroll.paidTo(hired))).length;
    const runs = await Promise.all(Array.from({ length: 5 }, () => company.payroll.pay('2026-02', [hired])));
    expect(new Set(runs.map((payslips) => JSON.stringify(payslips))).size).toBe(1);
    expect(await idsOf(company.payroll.paidTo(hired))).toHaveLength(before + 1);
  });

  it('is paid apart from the month before', async () => {
    const before = (await idsOf(company.payroll.paidTo(hired))).length;
    await company.payroll.pay('2026-03', [hired]);
    expect(await idsOf(company.payroll.paidTo(hired))).toHaveLength(before + 1);
  });
});

describe('a salary that does not arrive', () => {
  it.each([
    ['at once', '003', 'FAILED'],
    ['when the bank rejects it', '004', 'REJECTED'],
  ])('is given back %s', async (_when, suffix, status) => {
    const { payroll, ending, balance, books, client } = await newCompany();
    const [payslip] = await payroll.pay('2026-11', [
      await payroll.hire(employee('Kurt Gödel', suffix), 5_000),
    ]);
    const { id: transactionId } = await ending(payslip);
    const payment = await eventually(
      () => client.getTransaction({ path: { transactionId } }),
      ({ refund }) => refund?.status === 'COMPLETED',
      patienceMs,
    );
    expect(payment.status).toBe(status);
    expect(await balance()).toBe(funds);
    await expect(books).toBeBalanced();
  });

  it('cannot be sent to a number that no bank has', async () => {
    const nowhere = { name: 'Nobody', bank: { iban: 'DE00370400440532013000' } };
    await expect(company.payroll.hire(nowhere, 1)).toBeRefusedWith('INVALID_INPUT');
  });
});

describe('two companies', () => {
  it('see nothing of each other', async () => {
    const other = await newCompany();
    const hired = await other.payroll.hire(employee('Ada Lovelace'), 1_000);
    const [payslip] = await company.payroll.pay('2026-11', [hired]);
    expect(payslip).toMatchObject({ refusedWith: expect.stringMatching(/NOT_FOUND/) });
    expect((await other.client.listTransactions()).totalCount).toBe(1);
  });
});

describe('the bookkeeping', () => {
  it.each([
    ['100', 'paid'],
    ['003', 'failed'],
  ] as const)('hears how a payment to a number with %s ends: %s', async (suffix, how) => {
    const bookkeeping = await company.hear();
    const id = await company.pay(suffix, 1_500);
    await expect.poll(() => bookkeeping.endings.get(id)).toBe(how);
  });

  it('hears that a payment in euros was called off', async () => {
    const bookkeeping = await company.hear();
    const bank = { iban: 'DE24370400440532013006' };
    const hired = await company.payroll.hire({ name: 'Emmy Noether', bank }, 1_500);
    const [payslip] = await company.payroll.pay('2026-11', [hired]);
    await expect.poll(() => bookkeeping.endings.get(paid(payslip))).toBe('called off');
  });

  it('believes nobody else', async () => {
    const { address, endings } = await company.hear();
    const data = { id: 'Transaction:1' };
    const forged = { id: 'Webhook:1', type: 'OUTGOING_PAYMENT.COMPLETED', timestamp: new Date(), data };
    const { status } = await fetch(address, { method: 'POST', body: JSON.stringify(forged) });
    expect(status).toBe(400);
    expect(endings.has('Transaction:1')).toBe(false);
  });
});
