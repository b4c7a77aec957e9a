/** What the company is told, without a receiver of its own. */
import { NotTold } from '@daybook/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Company, employee, funds, newCompany } from './company.ts';

let company: Company;
let other: Company;
beforeAll(async () => {
  [company, other] = await Promise.all([newCompany(), newCompany()]);
});

describe('the company is told', () => {
  it('of its first funds', async () => {
    const { data } = await company.webhook('INTERNAL_ACCOUNT.BALANCE_UPDATED', { id: company.accountId });
    expect(data.balance.amount).toBe(funds);
  });

  it('that a salary has arrived', async () => {
    const id = await company.pay('100', 1_000);
    await expect(company).toBeTold('OUTGOING_PAYMENT.COMPLETED', { id });
  });

  it('that a salary has failed, and that it was given back', async () => {
    const id = await company.pay('003', 1_000);
    await expect(company).toBeTold('OUTGOING_PAYMENT.FAILED', { id });
    await expect(company).toBeTold('OUTGOING_PAYMENT.REFUND_COMPLETED', { id });
  });

  it('of one payment in the order in which it went', async () => {
    const objectId = await company.pay('100', 1_000);
    await company.webhook('OUTGOING_PAYMENT.COMPLETED', { id: objectId });
    const { data } = await company.client.sandboxListWebhooks({ query: { objectId } });
    const types = data.map(({ type }) => type);
    expect([types[0], types.at(-1)]).toEqual(['OUTGOING_PAYMENT.PENDING', 'OUTGOING_PAYMENT.COMPLETED']);
    expect(new Set(types).size).toBe(types.length);
  });

  it('of what is asked for by a function', async () => {
    await company.pay('100', 77_000);
    const { data } = await company.webhook(
      'OUTGOING_PAYMENT.COMPLETED',
      ({ sentAmount }) => (sentAmount?.amount ?? 0) > 70_000,
    );
    expect(data.sentAmount?.amount).toBe(77_000);
  });

  it('of everybody in a payroll', async () => {
    const { payroll } = company;
    const staff = await Promise.all(
      ['Ada Lovelace', 'Grace Hopper', 'Emmy Noether'].map((name) => payroll.hire(employee(name), 900)),
    );
    for (const payslip of await payroll.pay('2026-11', staff))
      await expect(company).toBeTold('OUTGOING_PAYMENT.COMPLETED', {
        id: 'transactionId' in payslip ? payslip.transactionId : '',
      });
  });
});

describe('the company is not told', () => {
  it('of the payments of another', async () => {
    const id = await other.pay('100', 1_000);
    await expect(other).toBeTold('OUTGOING_PAYMENT.COMPLETED', { id });
    await expect(company).not.toBeTold('OUTGOING_PAYMENT.COMPLETED', { id });
  });

  it('of what has not happened, and the error shows what has', async () => {
    await company.pay('100', 4_321);
    await company.webhook('OUTGOING_PAYMENT.COMPLETED', { sentAmount: { amount: 4_321 } });
    const never = company.webhook('OUTGOING_PAYMENT.COMPLETED', { id: 'Transaction:none' }, 100);
    await expect(never).rejects.toThrow(NotTold);
    await expect(never).rejects.toThrow(/4321/);
  });
});
