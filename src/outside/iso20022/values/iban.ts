/** Account numbers by ISO 13616, and bank codes by ISO 9362. */
import { isIban } from '../../../infrastructure/text/check-digits.ts';

/** Without spaces, in capitals. */
export const plainIban = (text: string): string => text.replaceAll(' ', '').toUpperCase();

/** Sort code and account number of an account in the United Kingdom, by its IBAN. */
export function ukAccountOf(iban: string): { sortCode: string; accountNumber: string } | undefined {
  if (!iban.startsWith('GB') || !isIban(iban)) return undefined;
  return { sortCode: iban.slice(8, 14), accountNumber: iban.slice(14) };
}

/** By the pattern that both versions of the message have, the older being the stricter. */
export const isBic = (text: string): boolean => /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$/.test(text);
