import { Rejected } from '../../kernel/rejected.ts';

/** At most 64 characters before the `@`, the `$` included. Case does not count. */
const pattern = /^\$[a-z0-9\-_.+]{1,63}@[a-z0-9.-]{1,253}$/i;

/** The address as it is stored: in lower case. Throws `Rejected` for what is not one. */
export function parsePaymentAddress(text: string): string {
  if (pattern.test(text)) return text.toLowerCase();
  throw noPaymentAddress();
}

export function noPaymentAddress(): Rejected {
  const form = '$name@domain, with letters, digits, and - _ . + in the name';
  return new Rejected('INVALID_UMA_ADDRESS', `A payment address looks like ${form}.`);
}

export const umaNotFound = () => new Rejected('UMA_NOT_FOUND', 'Nobody has this payment address.');
