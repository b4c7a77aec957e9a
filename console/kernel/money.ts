/** Amounts as people read them. */

export type Currency = { readonly code: string; readonly decimals: number };

const grouped = new Intl.NumberFormat('en-US');

/** From the smallest unit of the currency, by its digits: 123456 of USD is `1,234.56`. Nothing is rounded. */
export function decimalOf(minor: number, decimals: number): string {
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = grouped.format(BigInt(digits.slice(0, digits.length - decimals)));
  const part = decimals > 0 ? `.${digits.slice(-decimals)}` : '';
  return `${minor < 0 ? '−' : ''}${whole}${part}`;
}

export const moneyOf = (minor: number, { code, decimals }: Currency): string =>
  `${decimalOf(minor, decimals)} ${code}`;

/** The other way, exactly. Nothing where the text is no positive amount of the currency. */
export function minorOf(text: string, decimals: number): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,15})(?:\.(\d+))?$/.exec(text.trim().replaceAll(',', '')) ?? [];
  if (whole === '' || part.length > decimals) return undefined;
  const minor = Number(whole + part.padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) && minor > 0 ? minor : undefined;
}
