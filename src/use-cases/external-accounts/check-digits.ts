/** Numbers that carry check digits are refused where these do not fit: most mistyped ones. */
import type { AccountInfo } from '../../domain/external-accounts/definitions.ts';
import { isAbaRoutingNumber, isIban } from '../../infrastructure/text/check-digits.ts';
import { badFields } from '../../kernel/rejected.ts';

type Check = { readonly isValid: (text: string) => boolean; readonly message: string };

const aba: Check = {
  isValid: isAbaRoutingNumber,
  message: 'must be an ABA routing number: its check digit does not fit',
};
const iban: Check = {
  isValid: (text) => isIban(text.toUpperCase()),
  message: 'must be an IBAN: its length or its check digits do not fit its country',
};

/** The fields of account types that are such numbers. */
const checks = { iban, routingNumber: aba, intermediaryRoutingNumber: aba } as const;

/**
 * Throws `Rejected` (INVALID_INPUT) that names each number that no bank has given out. The rail's own accounts,
 * whose last digits are what it goes by, are not looked at.
 */
export function requireCheckDigits(info: AccountInfo, isRailsOwn: boolean): void {
  if (isRailsOwn) return;
  const values: Readonly<Record<string, unknown>> = info;
  const errors = Object.entries(checks)
    .filter(([field, { isValid }]) => typeof values[field] === 'string' && !isValid(values[field]))
    .map(([field, { message }]) => ({ field: `accountInfo.${field}`, message }));
  if (errors.length > 0) throw badFields(errors);
}
