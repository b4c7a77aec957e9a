/** Exact fractions, for checking calculations in another way than they are made. */
type Rational = { readonly n: bigint; readonly d: bigint };

export const whole = (n: bigint): Rational => ({ n, d: 1n });
export const plus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const minus = (a: Rational, b: Rational): Rational => plus(a, { n: -b.n, d: b.d });
export const times = (a: Rational, b: Rational): Rational => ({ n: a.n * b.n, d: a.d * b.d });
export const per = (a: Rational, b: Rational): Rational =>
  times(a, b.n < 0n ? { n: -b.d, d: -b.n } : { n: b.d, d: b.n });
export const isAtMost = (a: Rational, b: Rational): boolean => a.n * b.d <= b.n * a.d;

export function floor({ n, d }: Rational): bigint {
  const quotient = n / d;
  return n % d < 0n ? quotient - 1n : quotient;
}
export const ceil = ({ n, d }: Rational): bigint => -floor({ n: -n, d });

export const tenTo = (power: number): Rational =>
  power < 0 ? { n: 1n, d: 10n ** BigInt(-power) } : whole(10n ** BigInt(power));

/** Reads `12.50`, and numbers as JavaScript prints them, such as `1.5e-7`. */
export function rational(text: string): Rational {
  const [digits = '', power = '0'] = text.split('e');
  const [before = '', behind = ''] = digits.split('.');
  return times(whole(BigInt(before + behind)), tenTo(Number(power) - behind.length));
}
