/** The arithmetic of docs/decisions/0012 on the figures of an answer, to the last digit. */
import type { Json } from '../http/client.ts';

type Fraction = { readonly n: bigint; readonly d: bigint };

/** A JSON number as the decimal it was written as. */
export function exactly(number: number | bigint): Fraction {
  const [digits = '', power = '0'] = `${number}`.split('e');
  const [whole = '', part = ''] = digits.split('.');
  const exponent = Number(power) - part.length;
  const n = BigInt(whole + part);
  return exponent >= 0 ? { n: n * 10n ** BigInt(exponent), d: 1n } : { n, d: 10n ** BigInt(-exponent) };
}

const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const floor = ({ n, d }: Fraction): bigint => n / d;
const ceiling = ({ n, d }: Fraction): bigint => (n + d - 1n) / d;
const power = (exponent: number): Fraction =>
  exponent >= 0 ? { n: 10n ** BigInt(exponent), d: 1n } : { n: 1n, d: 10n ** BigInt(-exponent) };

/** Minor units to send per minor unit to receive, from the rate in major units. */
const minorRate = ({ exchangeRate, sendingCurrency, receivingCurrency }: Json): Fraction =>
  times(exactly(exchangeRate), power(sendingCurrency.decimals - receivingCurrency.decimals));

/** What arrives when the quote's sending side is locked. */
export function receivedFor(quote: Json): bigint {
  const { n, d } = minorRate(quote);
  return floor(
    times({ n: BigInt(quote.totalSendingAmount) - BigInt(quote.feesIncluded), d: 1n }, { n: d, d: n }),
  );
}

/** What must be sent when the quote's receiving side is locked. */
export function sentFor(quote: Json): bigint {
  const { serviceApiFixedFee, serviceApiVariableFeeRate } = quote.rateDetails;
  const rate = minorRate(quote);
  const variable = exactly(serviceApiVariableFeeRate);
  const gross = {
    n: BigInt(quote.totalReceivingAmount) * rate.n + BigInt(serviceApiFixedFee) * rate.d,
    d: rate.d,
  };
  return ceiling(times(gross, { n: variable.d, d: variable.d - variable.n }));
}

/** The variable fee of an amount, rounded up. */
export const variableFeeOf = ({ totalSendingAmount, rateDetails }: Json): bigint =>
  ceiling(times({ n: BigInt(totalSendingAmount), d: 1n }, exactly(rateDetails.serviceApiVariableFeeRate)));
