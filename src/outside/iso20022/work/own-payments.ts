/** Finds payments of ours by what the bank gives back. */
import { inParts } from '../../../kernel/parts.ts';
import type { Orders } from '../files/orders.ts';
import { ownEndToEndId, type Payments } from '../files/payments.ts';
import type { Saying } from './outcomes.ts';

type Deps = { readonly payments: Pick<Payments, 'factsOf'>; readonly orders: Pick<Orders, 'sent'> };

/** An order may have more payments than a process may have files open. */
const atOnceMax = 32;

export type OwnPayment = Pick<Saying, 'endToEndId' | 'facts'>;

export type OwnPayments = {
  readonly find: (text: string | undefined) => Promise<OwnPayment | undefined>;
  /** The payments that left in an order. */
  readonly membersOf: (messageId: string) => Promise<readonly OwnPayment[]>;
};

export function createOwnPayments({ payments, orders }: Deps): OwnPayments {
  const find = async (text: string | undefined): Promise<OwnPayment | undefined> => {
    const endToEndId = ownEndToEndId(text);
    const facts = endToEndId && (await payments.factsOf(endToEndId));
    return endToEndId && facts ? { endToEndId, facts } : undefined;
  };
  return {
    find,
    async membersOf(messageId) {
      const order = await orders.sent(messageId);
      const found: (OwnPayment | undefined)[] = [];
      for (const part of inParts(order?.endToEndIds ?? [], atOnceMax))
        found.push(...(await Promise.all(part.map(find))));
      return found
        .filter((one) => one !== undefined)
        .filter(({ facts }) => facts.sent?.messageId === messageId);
    },
  };
}
