/** Amounts as people read them. */

export type Currency = { readonly code: string; readonly decimals: number };

/**
 * An amount in the smallest unit of its currency. The types of the interface say `number`: what a number does not hold
 * exactly comes as a `bigint`, so nothing calculates with it but what takes both.
 */
export type Minor = number | bigint;

export const magnitudeOf = <Value extends Minor>(minor: Value): Value =>
  minor < 0 ? (-minor as Value) : minor;

const grouped = new Intl.NumberFormat('en-US');

/** From the smallest unit of the currency, by its digits: 123456 of USD is `1,234.56`. Nothing is rounded. */
export function decimalOf(minor: Minor, decimals: number): string {
  const digits = String(magnitudeOf(minor)).padStart(decimals + 1, '0');
  const whole = grouped.format(BigInt(digits.slice(0, digits.length - decimals)));
  const part = decimals > 0 ? `.${digits.slice(-decimals)}` : '';
  return `${minor < 0 ? '−' : ''}${whole}${part}`;
}

export const moneyOf = (minor: Minor, { code, decimals }: Currency): string =>
  `${decimalOf(minor, decimals)} ${code}`;

/** Commas stand between thousands: `1,50` is no amount, since it may mean another than 150. */
const thousands = /^\d{1,3}(?:,\d{3})+(?=\.|$)/;

/** The other way, exactly. Nothing where the text is no positive amount of the currency. */
export function minorOf(text: string, decimals: number): number | undefined {
  const plain = text.trim().replace(thousands, (whole) => whole.replaceAll(',', ''));
  const [, whole = '', part = ''] = /^(\d{1,15})(?:\.(\d+))?$/.exec(plain) ?? [];
  if (whole === '' || part.length > decimals) return undefined;
  const minor = Number(whole + part.padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) && minor > 0 ? minor : undefined;
}

/** The same. Throws what to tell a person whose text is none. */
export function minorIn(text: string, decimals: number): number {
  const minor = minorOf(text, decimals);
  if (minor === undefined)
    throw new Error(`An amount has at most ${decimals} decimals, like ${decimalOf(100_000, decimals)}.`);
  return minor;
}
