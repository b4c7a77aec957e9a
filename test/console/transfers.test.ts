import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Posting, transfersOf } from '../../console/kernel/transfers.ts';

const USD = { code: 'USD', decimals: 2 };
const EUR = { code: 'EUR', decimals: 2 };
const posting = (account: string, minor: number | bigint, currency = USD): Posting => ({
  account,
  minor,
  currency,
});
const shown = (postings: readonly Posting[]) =>
  transfersOf(postings).map(({ from, to, minor, currency }) => `${from} ${to} ${minor} ${currency.code}`);

describe('what went from where to where', () => {
  it('of a payment with a fee and another currency', () => {
    const completed = [
      posting('in-flight', -668),
      posting('fees', 668),
      posting('in-flight', -10_000),
      posting('fx', 10_000),
      posting('fx', -9_200, EUR),
      posting('rail', 9_200, EUR),
    ];
    expect(shown(completed)).toEqual([
      'in-flight fees 668 USD',
      'in-flight fx 10000 USD',
      'fx rail 9200 EUR',
    ]);
  });

  it('of one that takes from several, and of one that gives to several', () => {
    expect(shown([posting('a', -3), posting('b', -4), posting('c', 7)])).toEqual(['a c 3 USD', 'b c 4 USD']);
    expect(shown([posting('c', 7), posting('a', -3), posting('b', -4)])).toEqual(['a c 3 USD', 'b c 4 USD']);
    expect(shown([posting('a', -7), posting('b', 3), posting('c', 4)])).toEqual(['a b 3 USD', 'a c 4 USD']);
    expect(shown([])).toEqual([]);
  });

  it('of amounts that no number holds', () => {
    const most = 9_223_372_036_854_775_807n;
    expect(shown([posting('rail', -most - 1n), posting('a', most), posting('b', 1)])).toEqual([
      'rail a 9223372036854775807 USD',
      'rail b 1 USD',
    ]);
  });

  it('changes each account by what its postings say, whatever their order', () => {
    const amount = fc.integer({ min: -1_000, max: 1_000 });
    const some = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), amount, fc.constantFrom(USD, EUR)));
    fc.assert(
      fc.property(some, (drawn) => {
        const postings = drawn.map(([account, minor, currency]) => posting(account, minor, currency));
        for (const currency of [USD, EUR]) {
          const sum = postings
            .filter((one) => one.currency === currency)
            .reduce((all, { minor }) => all + BigInt(minor), 0n);
          postings.push(posting('rest', -sum, currency));
        }
        const held = new Map<string, bigint>();
        const add = (account: string, code: string, minor: bigint) =>
          held.set(`${account} ${code}`, (held.get(`${account} ${code}`) ?? 0n) + minor);
        for (const { from, to, minor, currency } of transfersOf(postings)) {
          expect(minor).toBeGreaterThan(0n);
          add(from, currency.code, -minor);
          add(to, currency.code, minor);
        }
        for (const { account, minor, currency } of postings) add(account, currency.code, -BigInt(minor));
        expect([...held.values()].filter((minor) => minor !== 0n)).toEqual([]);
      }),
    );
  });
});
