/** Renders orders from the settings of the installation. */
import type { Plan } from '../files/orders.ts';
import type { CreditTransfer } from '../messages/model.ts';
import { writeOrder } from '../messages/pain-001.ts';
import type { Schemas } from '../schema/schemas.ts';
import { accountFor, type Settings } from '../settings.ts';

export type WriteTransfers = (
  plan: Pick<Plan, 'messageId' | 'createdAt' | 'currency' | 'isInstant'>,
  transfers: readonly CreditTransfer[],
) => string;

/** Throws `Unreadable` for transfers that the schema refuses; any other error where the settings have no account in the currency. */
export const createOrderWriter =
  (settings: Settings, schemas: Schemas): WriteTransfers =>
  ({ messageId, createdAt, currency, isInstant }, transfers) => {
    const account = accountFor(settings, currency);
    if (!account) throw new Error(`the settings have no account in ${currency} any more`);
    const order = {
      messageId,
      paymentInformationId: blockOf(messageId),
      createdAt: new Date(createdAt),
      initiatingParty: settings.initiatingParty,
      account,
      isInstant,
      transfers,
    };
    return writeOrder(order, settings.orderVersion, schemas.ofOrders);
  };

/** Each order has one block. */
export const blockOf = (messageId: string): string => `${messageId}-1`;

/** The order that a block belongs to. */
export const orderOf = (block: string): string => block.replace(/-1$/, '').toLowerCase();
