/** Account numbers by ISO 13616, and bank codes by ISO 9362. */

/** How long an IBAN is in the countries of SEPA, by the IBAN registry. */
const lengths = new Map(
  Object.entries({
    AD: 24,
    AL: 28,
    AT: 20,
    BE: 16,
    BG: 22,
    CH: 21,
    CY: 28,
    CZ: 24,
    DE: 22,
    DK: 18,
    EE: 20,
    ES: 24,
    FI: 18,
    FR: 27,
    GB: 22,
    GI: 23,
    GR: 27,
    HR: 21,
    HU: 28,
    IE: 22,
    IS: 26,
    IT: 27,
    LI: 21,
    LT: 20,
    LU: 20,
    LV: 21,
    MC: 27,
    MD: 24,
    ME: 22,
    MK: 19,
    MT: 31,
    NL: 18,
    NO: 15,
    PL: 28,
    PT: 25,
    RO: 24,
    RS: 22,
    SE: 24,
    SI: 19,
    SK: 24,
    SM: 27,
    VA: 22,
  }),
);

const ibanPattern = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Without spaces, in capitals. */
export const plainIban = (text: string): string => text.replaceAll(' ', '').toUpperCase();

/** Whether the text has the form, the length of its country, and the check digits (mod 97 is 1). */
export function isIban(text: string): boolean {
  const length = lengths.get(text.slice(0, 2));
  if (!ibanPattern.test(text) || (length !== undefined && text.length !== length)) return false;
  const rotated = text.slice(4) + text.slice(0, 4);
  const digits = rotated.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

/** Sort code and account number of an account in the United Kingdom, by its IBAN. */
export function ukAccountOf(iban: string): { sortCode: string; accountNumber: string } | undefined {
  if (!iban.startsWith('GB') || !isIban(iban)) return undefined;
  return { sortCode: iban.slice(8, 14), accountNumber: iban.slice(14) };
}

/** By the pattern that both versions of the message have, the older being the stricter. */
export const isBic = (text: string): boolean => /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$/.test(text);
