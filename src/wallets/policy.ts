/** What a wallet's customer has signed for changes the customer. */
import type { Policy } from '../aggregates.ts';
import { uuidOf } from '../infrastructure/ids.ts';

export const walletPolicy: Policy = (event) => {
  if (event.type !== 'CustomerEmailChanged') return [];
  const { customerId, email, at } = event.data;
  const command = { type: 'TakeSignedEmail', email, at } as const;
  return [{ to: 'customer', uuid: uuidOf(customerId), command }];
};
