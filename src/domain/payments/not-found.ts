import { Rejected } from '../../kernel/rejected.ts';
export const quoteNotFound = () =>
  new Rejected('QUOTE_NOT_FOUND', 'There is no such quote.', { resource: 'Quote' });

export const transactionNotFound = () =>
  new Rejected('TRANSACTION_NOT_FOUND', 'There is no such transaction.', { resource: 'Transaction' });
