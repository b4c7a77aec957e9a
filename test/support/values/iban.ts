/** The IBAN with the check digits that it has to have, whatever stands in their place (ISO 7064, MOD 97-10). */
export function withCheckDigits(iban: string): string {
  const digits = `${iban.slice(4)}${iban.slice(0, 2)}00`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  const check = 98n - (BigInt(digits) % 97n);
  return `${iban.slice(0, 2)}${String(check).padStart(2, '0')}${iban.slice(4)}`;
}
