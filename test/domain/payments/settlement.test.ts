import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imbalance, type Posting } from '../../../src/domain/books/postings.ts';
import { conversion, reversal, settlement } from '../../../src/domain/payments/settlement.ts';
import { ofIncoming, ofQuote, ofTransfer } from '../../../src/domain/payments/terms.ts';
import { eur, money, usd } from '../../support/builders/money.ts';
import { incomingPayment, quoteTerms, transferIn, transferOut } from '../../support/builders/terms.ts';
import { paidOut, posting } from '../../support/builders/transactions.ts';
import { holds } from '../../support/values/property.ts';

const inFlight = (entry: readonly Posting[]) =>
  imbalance(entry.filter(({ account }) => account === 'in-flight'));
const quoted = (overrides: Parameters<typeof quoteTerms>[0] = {}) => ofQuote(quoteTerms(overrides));

const currency = fc.constantFrom('USD', 'EUR', 'VND', 'USDC', 'BTC');
const amount = fc.bigInt(1n, 9_000_000_000_000_000n);
const priced = fc
  .record({ from: currency, to: currency, send: amount, receive: amount, share: fc.bigInt(0n, 1_000n) })
  .map(({ from, to, send, receive, share }) =>
    quoted({ sending: money(send, from), receiving: money(receive, to), fees: (send * share) / 1_000n }),
  );

describe('a settlement', () => {
  it('makes fees and exchange of what was in flight, and pays the rail', () => {
    expect(settlement(quoted())).toEqual(paidOut);
  });

  it('without fees has no posting of zero', () => {
    expect(settlement(quoted({ fees: 0n }))).toEqual([
      posting('in-flight', -100_00n),
      posting('fx', 100_00n),
      posting('fx', -91_54n, 'EUR'),
      posting('rail', 91_54n, 'EUR'),
    ]);
  });

  it('of which fees take everything leaves the exchange the payout', () => {
    const entry = settlement(quoted({ fees: 100_00n }));
    expect(entry.some(({ minor }) => minor === 0n)).toBe(false);
    expect(imbalance(entry)).toEqual(new Map());
  });

  it('in one currency leaves the exchange with nothing', () => {
    const postings = settlement(quoted({ receiving: usd(99_50n) }));
    expect(imbalance(postings.filter(({ account }) => account === 'fx'))).toEqual(new Map());
  });

  it.each([ofTransfer(transferOut()), ofTransfer(transferIn()), ofIncoming(incomingPayment())])(
    'of a payment without a price passes everything on ($kind)',
    (terms) => {
      expect(settlement(terms)).toEqual([posting('in-flight', -100_00n), posting('rail', 100_00n)]);
    },
  );

  it('balances, and takes exactly what was in flight', () =>
    holds(
      fc.property(priced, (terms) => {
        expect(imbalance(settlement(terms))).toEqual(new Map());
        expect(inFlight(settlement(terms))).toEqual(
          new Map([[terms.sending.currency, -terms.sending.minor]]),
        );
      }),
    ));
});

describe('a conversion', () => {
  it('has the receiving amount ready in flight', () => {
    const ready = [...paidOut.slice(0, -1), posting('in-flight', 91_54n, 'EUR')];
    expect(conversion(quoted())).toEqual(ready);
  });

  it('balances, and leaves exactly the receiving amount in flight', () =>
    holds(
      fc.property(priced, (terms) => {
        const { sending, receiving } = terms;
        const left = imbalance([
          { account: 'in-flight', ...sending },
          ...conversion(terms).filter(({ account }) => account === 'in-flight'),
        ]);
        expect(imbalance(conversion(terms))).toEqual(new Map());
        expect(left).toEqual(new Map([[receiving.currency, receiving.minor]]));
      }),
    ));
});

describe('a reversal', () => {
  it('undoes a settlement to the last posting', () =>
    holds(
      fc.property(priced, (terms) => {
        const both = [...settlement(terms), ...reversal(terms)];
        const accounts = new Set(both.map(({ account }) => account));
        for (const account of accounts) {
          expect(imbalance(both.filter((one) => one.account === account))).toEqual(new Map());
        }
      }),
    ));

  it('of a quote has the sending amount in flight again', () => {
    const terms = quoted({ sending: eur(7n), fees: 3n });
    expect(inFlight(reversal(terms))).toEqual(new Map([['EUR', 7n]]));
  });
});
