/** What a wallet's customer has signed for changes the customer. */

import { uuidOf } from '../../kernel/ids.ts';
import type { Reaction } from '../aggregates.ts';

export const walletReaction: Reaction = (event) => {
  if (event.type !== 'CustomerEmailChanged') return [];
  const { customerId, email, ordinal, at } = event.data;
  const command = { type: 'TakeSignedEmail', email, ordinal, at } as const;
  return [{ to: 'customer', uuid: uuidOf(customerId), command }];
};
