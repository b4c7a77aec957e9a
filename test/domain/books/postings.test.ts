import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assertBalanced,
  imbalance,
  move,
  postings,
  postingsOf,
  withoutZeros,
} from '../../../src/domain/books/postings.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import { accountId } from '../../support/builders/identities.ts';
import { eur, usd } from '../../support/builders/money.ts';
import { holds } from '../../support/values/property.ts';

const rail = (minor: bigint, currency = 'USD') => ({ account: 'rail' as const, minor, currency });

describe('a move', () => {
  it('takes from one account what it gives to the other', () => {
    expect(move('rail', accountId, usd(5n))).toEqual([
      rail(-5n),
      { account: accountId, minor: 5n, currency: 'USD' },
    ]);
  });

  it('always balances', () => {
    const amount = fc.record({ minor: fc.bigInt(), currency: fc.constantFrom('USD', 'EUR') });
    holds(fc.property(amount, (money) => imbalance(move('fx', 'fees', money)).size === 0));
  });
});

describe('an imbalance', () => {
  it.each([
    ['nothing', [], []],
    ['a pair', move('rail', 'fees', usd(1n)), []],
    ['one side', [rail(1n)], [['USD', 1n]]],
    [
      'equal amounts of two currencies',
      [rail(1n), rail(-1n, 'EUR')],
      [
        ['USD', 1n],
        ['EUR', -1n],
      ],
    ],
    ['two balanced currencies', [...move('rail', 'fx', usd(1n)), ...move('rail', 'fx', eur(2n))], []],
    ['one balanced of two', [...move('rail', 'fx', usd(1n)), rail(2n, 'EUR')], [['EUR', 2n]]],
  ] as const)('of %s is seen per currency', (_name, entry, expected) => {
    expect([...imbalance(entry)]).toEqual(expected);
  });

  it('of amounts beyond any float is seen', () => {
    expect(imbalance([rail(2n ** 200n), rail(1n - 2n ** 200n)])).toEqual(new Map([['USD', 1n]]));
  });
});

describe('the guard of the log', () => {
  it('lets a balanced event pass', () => {
    assertBalanced({ type: 'Moved', data: { postings: move('rail', 'fees', usd(1n)) } });
  });

  it('stops an event with the amount that is out of balance', () => {
    const event = { type: 'Moved', data: { postings: [rail(-5n), rail(3n)] } };
    expect(() => assertBalanced(event)).toThrow(new InvariantViolation('Moved is out of balance by -2 USD'));
  });

  it.each([null, undefined, 'text', 7, {}, []])(
    'has nothing against an event that moves no money (%j)',
    (data) => {
      assertBalanced({ type: 'Noted', data });
      expect(postingsOf({ data })).toEqual([]);
    },
  );
});

describe('stored postings', () => {
  it('come back as they were', () => {
    const entry = [...move('rail', accountId, usd(9_223_372_036_854_775_807n))];
    expect(postings.decode(postings.encode(entry))).toEqual(entry);
  });

  it.each([
    ['a single posting', [rail(0n)]],
    ['an unknown account', [{ account: 'cellar', minor: 1n, currency: 'USD' }, rail(-1n)]],
    ['no currency', [rail(1n, ''), rail(-1n, '')]],
  ])('are never %s', (_name, entry) => {
    expect(postings.safeParse(entry).success).toBe(false);
  });

  it('leave zeros out', () => expect(withoutZeros([rail(0n), rail(1n), rail(0n)])).toEqual([rail(1n)]));
});
