import { describe, expect, it } from 'vitest';
import { currencies } from '../../../src/domain/money/currencies.ts';
import { cryptoNetworks } from '../../../src/domain/payments/ends.ts';
import { quoteInstructions, waysToPay } from '../../../src/domain/quotes/instructions.ts';
import { transactionId } from '../../support/builders/identities.ts';
import { money } from '../../support/builders/money.ts';
import { fromBalance, fromBank, fromOutside, quoteTerms } from '../../support/builders/terms.ts';

const networks = (currency: string) =>
  cryptoNetworks.filter((network) => waysToPay(currency, transactionId, network).length > 0);

describe('the ways to pay', () => {
  it.each([
    ['USDC', ['SOLANA', 'ETHEREUM', 'BASE', 'POLYGON']],
    ['USDT', ['SOLANA', 'ETHEREUM', 'TRON', 'PLASMA']],
    ['USDB', ['SPARK']],
    ['BTC', ['SPARK', 'LIGHTNING', 'BITCOIN']],
    ['USD', []],
  ])('are with %s on these networks alone: %j', (currency, expected) =>
    expect(networks(currency)).toEqual(expected),
  );

  it.each([...currencies.keys()])('exist for %s', (currency) => {
    expect(waysToPay(currency, transactionId, undefined)).not.toEqual([]);
  });

  it('are one on a network', () => {
    const ways = waysToPay('USDC', transactionId, 'BASE');
    expect(ways.map(({ accountOrWalletInfo }) => accountOrWalletInfo.accountType)).toEqual(['BASE_WALLET']);
  });

  it.each([
    ['USD', undefined],
    ['USDC', 'BASE'],
    ['BTC', 'LIGHTNING'],
    ['BTC', 'BITCOIN'],
  ] as const)('belong to one payment for good: %s (%s)', (currency, network) => {
    const [ways, again] = [1, 2].map(() => waysToPay(currency, transactionId, network));
    expect(ways).toEqual(again);
    expect(waysToPay(currency, 'Transaction:other', network)).not.toEqual(ways);
  });
});

describe('the payment instructions of a quote', () => {
  const of = (overrides: Parameters<typeof quoteTerms>[0]) => {
    const { transactionId, source, sending } = quoteTerms(overrides);
    return quoteInstructions(transactionId, source, sending.currency);
  };

  it('are those of its currency and network', () => {
    const source = { ...fromOutside, cryptoNetwork: 'BASE' } as const;
    const ways = of({ source, sending: money(1n, 'USDC') });
    expect(ways).toEqual(waysToPay('USDC', transactionId, 'BASE'));
  });

  it('state a reference in fiat', () => {
    const [way] = of({ source: fromOutside }) ?? [];
    expect(way).toMatchObject({
      accountOrWalletInfo: { accountType: 'USD_ACCOUNT', reference: expect.stringMatching(/^DB-/) },
    });
  });

  it.each([fromBalance, fromBank])('are not needed where the source is $kind', (source) => {
    expect(of({ source })).toBeUndefined();
  });
});
