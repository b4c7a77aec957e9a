import { describe, expect, it } from 'vitest';
import { type Price, price } from '../../../src/domain/quotes/pricing.ts';
import { int64Max } from '../../../src/kernel/money.ts';
import { money } from '../../support/builders/money.ts';
import { ratesTable } from '../../support/builders/rates.ts';
import { thrownBy } from '../../support/builders/spec.ts';

type Side = 'SENDING' | 'RECEIVING';

/** `USD>EUR`, which side is locked, and its amount. */
function priced(
  table: Parameters<typeof price>[0],
  pair: string,
  lockedCurrencySide: Side,
  locked: bigint,
): Price {
  const [sendingCurrency = '', receivingCurrency = ''] = pair.split('>');
  return price(table, {
    sendingCurrency,
    receivingCurrency,
    lockedCurrencySide,
    lockedCurrencyAmount: locked,
  });
}

const outOfRange = { name: 'Rejected', code: 'AMOUNT_OUT_OF_RANGE' };

describe('the published figure', () => {
  const table = ratesTable({ mid: { EUR: '1.08695652' }, fees: { fixedUsd: '5.00', variableRate: '0' } });

  it('is 915.40 EUR for 1000.00 USD after 5.00 USD of fees', () => {
    expect(priced(table, 'USD>EUR', 'SENDING', 1000_00n)).toEqual({
      sending: money(1000_00n, 'USD'),
      receiving: money(915_40n, 'EUR'),
      fees: 5_00n,
      exchangeRate: '1.08695652',
      rateDetails: {
        counterpartyMultiplier: '0.920000001472',
        counterpartyFixedFee: 0n,
        serviceApiMultiplier: '1',
        serviceApiFixedFee: 5_00n,
        serviceApiVariableFeeRate: '0',
        serviceApiVariableFeeAmount: 0n,
      },
    });
  });

  it('is the same from the other side', () => {
    const { sending, fees } = priced(table, 'USD>EUR', 'RECEIVING', 915_40n);
    expect([sending.minor, fees]).toEqual([1000_00n, 5_00n]);
  });
});

describe('an exchange rate', () => {
  it.each([
    ['EUR>USD', { EUR: '0.92' }, '1', '1.08695652174'],
    ['USD>EUR', { EUR: '1.1652' }, '1', '1.1652'],
    ['USD>EUR', { EUR: '1.1652' }, '0.998', '1.16753507015'],
    ['USD>BTC', { BTC: '108450.00' }, '1', '108450'],
    ['BTC>VND', { BTC: '108450.00', VND: '0.000038023' }, '0.998', '0.000000000351306578118'],
    ['VND>BTC', { BTC: '108450.00', VND: '0.000038023' }, '1', '2852221024.12'],
    ['USD>EUR', { EUR: '1.99999999999999' }, '1', '2'],
  ])('is rounded up: of %s by %j and a multiplier of %s, %s', (pair, mid, counterpartyMultiplier, rate) => {
    const table = ratesTable({ mid, counterpartyMultiplier });
    expect(priced(table, pair, 'RECEIVING', 1_000n).exchangeRate).toBe(rate);
  });

  it.each(['USD', 'EUR', 'VND', 'BTC'])('is 1 from %s to itself, whatever the spread', (currency) => {
    const mid = { EUR: '1.1652', VND: '0.000038', BTC: '108450' };
    const { exchangeRate, receiving, rateDetails } = priced(
      ratesTable({ mid, counterpartyMultiplier: '0.9' }),
      `${currency}>${currency}`,
      'SENDING',
      777n,
    );
    expect([exchangeRate, receiving.minor]).toEqual(['1', 777n]);
    expect(rateDetails).toMatchObject({ counterpartyMultiplier: '1', serviceApiMultiplier: '1' });
  });
});

const table = ratesTable({
  mid: { VND: '0.00004', USDC: '1', BTC: '100000', ARS: '0.00005' },
  fees: { fixedUsd: '0.50', variableRate: '0.005' },
});

describe('a price', () => {
  it.each([
    ['USD>VND', 100_00n, 1_00n, 2_475_000n],
    ['USD>USDC', 100_00n, 1_00n, 99_000_000n],
    ['USD>BTC', 100_00n, 1_00n, 99_000n],
    ['USD>USD', 100_00n, 1_00n, 99_00n],
    ['VND>USD', 2_500_000n, 25_000n, 99_00n],
    ['BTC>USD', 100_000n, 1_000n, 99_00n],
    ['USDC>VND', 100_000_000n, 1_000_000n, 2_475_000n],
    ['BTC>USDC', 100_000n, 1_000n, 99_000_000n],
    ['VND>BTC', 2_500_000n, 25_000n, 99_000n],
  ])('is right from both sides, whatever the decimals of %s', (pair, send, fees, receive) => {
    const prices = [priced(table, pair, 'SENDING', send), priced(table, pair, 'RECEIVING', receive)];
    const amounts = prices.map((found) => [found.sending.minor, found.fees, found.receiving.minor]);
    expect(amounts).toEqual([
      [send, fees, receive],
      [send, fees, receive],
    ]);
  });

  it('rounds the variable fee up', () => {
    const { fees, rateDetails, receiving } = priced(table, 'USD>USD', 'SENDING', 100_01n);
    expect([fees, rateDetails.serviceApiVariableFeeAmount, receiving.minor]).toEqual([1_01n, 51n, 99_00n]);
  });

  it('rounds the fixed fee up in the sending currency', () => {
    const third = ratesTable({ mid: { EUR: '1.5' }, fees: { fixedUsd: '0.10', variableRate: '0' } });
    expect(priced(third, 'EUR>USD', 'SENDING', 100n).rateDetails.serviceApiFixedFee).toBe(7n);
  });

  it('has the fees of the sending currency', () => {
    const perCurrency = { EUR: { fixedUsd: '2.00', variableRate: '0.01' } };
    const special = ratesTable({ mid: { EUR: '1' }, perCurrency });
    expect(priced(special, 'EUR>USD', 'SENDING', 100_00n).fees).toBe(3_00n);
    expect(priced(special, 'USD>EUR', 'SENDING', 100_00n).fees).toBe(0n);
  });

  it('passes everything on without fees and spread', () => {
    expect(priced(ratesTable({}), 'USD>USD', 'SENDING', 1n)).toMatchObject({
      fees: 0n,
      receiving: { minor: 1n },
    });
  });
});

describe('the smallest and the largest amounts', () => {
  it.each([
    ['USD>VND', 51n],
    ['VND>USD', 12_815n],
    ['USD>BTC', 51n],
    ['BTC>USD', 513n],
    ['USDC>USD', 512_563n],
  ])('are for 1 minor unit of %s to receive %s', (pair, send) => {
    expect(priced(table, pair, 'RECEIVING', 1n).sending.minor).toBe(send);
  });

  it.each(['USD>VND', 'USD>USD', 'VND>USD', 'BTC>USDC'])('refuse 1 minor unit to send by %s', (pair) => {
    expect(thrownBy(() => priced(table, pair, 'SENDING', 1n))).toMatchObject(outOfRange);
  });

  it.each([
    ['USD>USD', 'SENDING', 9_000_000_000_000_000n, 8_954_999_999_999_950n],
    ['USD>USD', 'RECEIVING', 9_045_226_130_653_317n, 9_000_000_000_000_000n],
    ['VND>BTC', 'SENDING', 9_000_000_000_000_000n, 358_199_999_999_500n],
    ['USD>BTC', 'RECEIVING', 904_522_613_065_377n, 9_000_000_000_000_000n],
  ] as const)('are exact for %s with %s locked', (pair, side, send, receive) => {
    const found = priced(table, pair, side, 9_000_000_000_000_000n);
    expect([found.sending.minor, found.receiving.minor]).toEqual([send, receive]);
  });

  it('are no larger to send than the interface carries', () => {
    expect(thrownBy(() => priced(table, 'ARS>BTC', 'RECEIVING', 9_000_000_000_000_000n))).toMatchObject(
      outOfRange,
    );
  });

  it('are no larger to receive than the interface carries', () => {
    const most = priced(ratesTable({ mid: { USDC: '1' } }), 'USD>USDC', 'SENDING', int64Max / 10_000n);
    expect(most.receiving.minor).toBe((int64Max / 10_000n) * 10_000n);
    expect(thrownBy(() => priced(table, 'USD>USDC', 'SENDING', 9_000_000_000_000_000n))).toMatchObject(
      outOfRange,
    );
  });
});
