import { invariant } from '../../kernel/invariant.ts';

/** `coefficient` × 10^`exponent`, exactly. */
export type Decimal = { readonly coefficient: bigint; readonly exponent: number };

/** Plain notation without sign, such as `0.0050`. */
export const decimalPattern = /^\d{1,20}(\.\d{1,20})?$/;

/** Throws `InvariantViolation` on text that `decimalPattern` refuses. */
export function parseDecimal(text: string): Decimal {
  invariant(decimalPattern.test(text), `not a decimal: ${text}`);
  const [whole = '', fraction = ''] = text.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: -fraction.length };
}

export function formatDecimal({ coefficient, exponent }: Decimal): string {
  if (exponent >= 0) return (coefficient * 10n ** BigInt(exponent)).toString();
  const digits = coefficient.toString().padStart(1 - exponent, '0');
  return `${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

/** The nearest number, for showing only. */
export const toNumber = (value: Decimal): number => Number(formatDecimal(value));

export const multiply = (left: Decimal, right: Decimal): Decimal => ({
  coefficient: left.coefficient * right.coefficient,
  exponent: left.exponent + right.exponent,
});

export const compare = (left: Decimal, right: Decimal): number => {
  const [a, b] = aligned(left, right);
  return a === b ? 0 : a < b ? -1 : 1;
};

/** The quotient of two decimals that are not negative, rounded up to a whole number. */
export function quotientRoundedUp(dividend: Decimal, divisor: Decimal): bigint {
  invariant(divisor.coefficient > 0n, 'division by zero');
  const [a, b] = aligned(dividend, divisor);
  return (a + b - 1n) / b;
}

/** Both coefficients at the smaller exponent. */
function aligned(left: Decimal, right: Decimal): readonly [bigint, bigint] {
  const exponent = Math.min(left.exponent, right.exponent);
  const at = (value: Decimal): bigint => value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return [at(left), at(right)];
}
