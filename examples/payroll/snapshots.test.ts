/** One month is set up once; each test begins where it ends. */
import type { PlatformSnapshot } from '@daybook/testing';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Company, employee, funds, newCompany } from './company.ts';
import type { Hired } from './payroll.ts';

let company: Company;
let ada: Hired;
let afterOctober: PlatformSnapshot;
let writtenByThen: Company['salaries'];

beforeAll(async () => {
  company = await newCompany();
  ada = await company.payroll.hire(employee('Ada Lovelace'), 2_000);
  const [payslip] = await company.payroll.pay('2026-10', [ada]);
  await company.ending(payslip);
  afterOctober = await company.snapshot('after October');
  writtenByThen = new Map(company.salaries);
});
/** What the company itself has written down goes back with it. */
afterEach(async () => {
  await afterOctober.restore();
  company.salaries.clear();
  for (const [name, written] of writtenByThen) company.salaries.set(name, written);
});

const paid = async () => {
  let count = 0;
  for await (const _payment of company.payroll.paidTo(ada)) count += 1;
  return count;
};

describe('November', () => {
  it('is paid after October', async () => {
    const [payslip] = await company.payroll.pay('2026-11', [ada]);
    expect((await company.ending(payslip)).status).toBe('COMPLETED');
    expect(await paid()).toBe(2);
    expect(await company.balance()).toBe(funds - 4_000);
  });

  it('is paid for the first time whatever another test has paid', async () => {
    expect(await paid()).toBe(1);
    const [payslip] = await company.payroll.pay('2026-11', [ada]);
    expect((await company.ending(payslip)).status).toBe('COMPLETED');
    expect(await company.balance()).toBe(funds - 4_000);
    await expect(company.books).toBeBalanced();
  });

  it('begins with what October has left', async () => {
    expect(await company.balance()).toBe(funds - 2_000);
    expect(await company.books.inFlight()).toEqual({});
  });
});
