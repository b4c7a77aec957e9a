import { derivedBytes } from '../../kernel/ids.ts';
import type { AccountType } from '../external-accounts/definitions.ts';

const decimal = '0123456789';
const hex = '0123456789abcdef';
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const bech32 = '023456789acdefghjklmnpqrstuvwxyz';

/** `length` characters that follow from the key and differ from label to label. */
function drawn(accountKey: string, label: string, alphabet: string, length: number): string {
  const bytes = derivedBytes(accountKey, label, length);
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}

const referenceCode = (accountKey: string): string => drawn(accountKey, 'reference', base32, 10);

/** What a payer states so that the payment finds its account. Its 50 bits keep two accounts from sharing one. */
export const referenceFor = (accountKey: string): string => `DB-${referenceCode(accountKey)}`;

/** Also where a bank has left out the dash, put in spaces or written small letters. */
const referencePattern = /(?<![A-Z0-9])DB[-\s]*((?:[A-Z2-7]\s*){10})(?![A-Z0-9])/gi;

/** What may be references in a text of a bank statement, as `referenceFor` writes them. */
export const referencesIn = (text: string): string[] =>
  [...text.matchAll(referencePattern)].map(
    ([, code = '']) => `DB-${code.replaceAll(/\s/g, '').toUpperCase()}`,
  );

export const digitsFor = (accountKey: string, label: string, length: number): string =>
  drawn(accountKey, label, decimal, length);

/** Replaces the last run of digits, but for the calling code of a phone number and the bank code of a long IBAN. */
export function withDigitsFor(accountKey: string, label: string, example: string): string {
  const replaced = example.startsWith('+') ? 9 : 16;
  return example.replace(new RegExp(`\\d{1,${replaced}}(?=\\D*$)`), (run) =>
    digitsFor(accountKey, label, run.length),
  );
}

/** The same IBAN with the check digits of ISO 13616: others are refused, by banks and by this service. */
export function withCheckDigits(iban: string): string {
  const [country, rest] = [iban.slice(0, 2), iban.slice(4)];
  const digits = `${rest}${country}00`.replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${rest}`;
}

/** Has the shape of the chain's addresses, without their check sums. */
export function walletAddressFor(accountKey: string, accountType: AccountType | 'BITCOIN_L1'): string {
  const part = (alphabet: string, length: number) => drawn(accountKey, accountType, alphabet, length);
  switch (accountType) {
    case 'SPARK_WALLET':
      return `spark1${part(bech32, 60)}`;
    case 'SOLANA_WALLET':
      return part(base58, 44);
    case 'TRON_WALLET':
      return `T${part(base58, 33)}`;
    case 'BITCOIN_L1':
      return `bc1q${part(bech32, 38)}`;
    default:
      return `0x${part(hex, 40)}`;
  }
}

/** Has the shape of a Pix "copia e cola" code, without its check sum. Its identifier, which the statement has, is the reference. */
export function pixCodeFor(accountKey: string): string {
  const key = drawn(accountKey, 'BRL_ACCOUNT', hex, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return `00020126580014br.gov.bcb.pix0136${key}5204000053039865802BR5907DAYBOOK6009SAO PAULO62160512DB${referenceCode(accountKey)}6304`;
}
