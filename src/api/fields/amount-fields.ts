import type { CodeOfFields } from '../../infrastructure/http/validation.ts';

/** Fields whose own code is answered when nothing else in the request is wrong. */
const amountFields = new Set([
  'amount',
  'lockedCurrencyAmount',
  'currencyAmount',
  'receivingCurrencyAmount',
  'amountToSend',
]);

export const codeOfFields: CodeOfFields = (fields) =>
  fields.length > 0 && fields.every((field) => amountFields.has(field)) ? 'INVALID_AMOUNT' : 'INVALID_INPUT';
