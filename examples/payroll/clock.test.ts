/** What takes minutes, months or years: the clock of the company is put forward. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Company, employee, funds, newCompany } from './company.ts';

const dayMs = 86_400_000;

let company: Company;
beforeAll(async () => {
  company = await newCompany();
  await company.client.sandboxFreezeClock({ body: {} });
});

const advance = (duration: string) => company.client.sandboxAdvanceClock({ body: { duration } });
const quoteOf = async (receiver: string) => {
  const { accountId } = await company.payroll.hire({ name: 'Emmy Noether', bank: { iban: receiver } }, 1);
  return company.client.createQuote({
    body: {
      source: { accountId: company.accountId },
      destination: { accountId, destinationType: 'ACCOUNT' },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000,
    },
  });
};

describe('a salary', () => {
  it('is on its way until the bank has settled it', async () => {
    const id = await company.pay('100', 5_000);
    expect(['PENDING', 'PROCESSING']).toContain((await company.payment(id)).status);
    expect(await company.books.inFlight()).toEqual({ USD: 5_000 });
    await advance('PT1M');
    expect((await company.payment(id)).status).toBe('COMPLETED');
    expect(await company.books.inFlight()).toEqual({});
  });

  it('that fails after a while is given back by then', async () => {
    const before = await company.balance();
    const id = await company.pay('005', 5_000);
    expect(await company.balance()).toBe((before ?? 0) - 5_000);
    await advance('PT1M');
    expect(await company.payment(id)).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } });
    expect(await company.balance()).toBe(before);
  });

  it('that is quicker is settled before one that was paid earlier', async () => {
    const slow = await company.pay('005', 1_000);
    const quick = await company.pay('100', 1_000);
    const { fired } = await advance('PT1M');
    expect(fired.map(({ objectId }) => objectId)).toEqual([quick, slow]);
  });

  it('of each month is dated a month after the one before', async () => {
    const hired = await company.payroll.hire(employee('Grace Hopper'), 1_000);
    const dates = [];
    for (const month of ['2026-01', '2026-02', '2026-03']) {
      await company.payroll.pay(month, [hired]);
      for await (const { createdAt } of company.payroll.paidTo(hired)) {
        dates.push(Date.parse(createdAt));
        break;
      }
      await advance('P30D');
    }
    const [first = 0, second = 0, third = 0] = dates;
    expect([second - first, third - second]).toEqual([30 * dayMs, 30 * dayMs]);
  });
});

describe('a quote', () => {
  it('that nobody executes expires when it says', async () => {
    const { id: quoteId, expiresAt } = await quoteOf('DE89370400440532013000');
    await company.client.sandboxAdvanceClock({ body: { to: expiresAt } });
    expect((await company.client.getQuote({ path: { quoteId } })).status).toBe('EXPIRED');
    await expect(company.client.executeQuote({ path: { quoteId } })).toBeRefusedWith('QUOTE_EXPIRED');
  });

  it('is what the next timer is for', async () => {
    const { expiresAt } = await quoteOf('GB29NWBK60161331926819');
    const { now, fired } = await company.client.sandboxAdvanceClock({ body: { toNextTimer: true } });
    expect(now).toBe(expiresAt);
    expect(fired).toMatchObject([{ kind: 'EXPIRE_QUOTE' }]);
  });
});

describe('the bookkeeping', () => {
  it('that was closed for three days hears of a payment when it opens again', async () => {
    const bookkeeping = await company.hear();
    bookkeeping.closed = true;
    const id = await company.pay('100', 1_500);
    await advance('P3D');
    expect(bookkeeping.counts.received).toBeGreaterThan(100);
    expect(bookkeeping.endings.get(id)).toBeUndefined();
    bookkeeping.closed = false;
    await advance('PT30M');
    expect(bookkeeping.endings.get(id)).toBe('paid');
  });

  it('believes what comes while the clock is two years ahead', async () => {
    await advance('P730D');
    const bookkeeping = await company.hear();
    const id = await company.pay('100', 1_500);
    await advance('PT1M');
    expect(bookkeeping.endings.get(id)).toBe('paid');
  });
});

describe('a clock', () => {
  it('never goes back', async () => {
    const { now } = await company.client.sandboxGetClock();
    const to = new Date(Date.parse(now) - 1).toISOString();
    await expect(company.client.sandboxAdvanceClock({ body: { to } })).toBeRefusedWith('INVALID_INPUT');
  });

  it('is not that of another company', async () => {
    const other = await newCompany();
    expect((await other.client.sandboxGetClock()).status).toBe('FOLLOWING');
    expect(await other.balance()).toBe(funds);
  });

  it('leaves the books in balance', async () => {
    await expect(company.books).toBeBalanced();
  });
});
