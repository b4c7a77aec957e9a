/** What a same-currency transfer between an internal and an external account of one owner promises. Pure. */

import { idOf } from '../../kernel/ids.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import type { OpenAccount } from '../accounts/state.ts';
import type { KnownCustomer } from '../customers/customer.ts';
import { defaultRailOf, requireRail } from '../external-accounts/definitions.ts';
import type { ExternalAccountDetails } from '../external-accounts/external-account.ts';
import type { TransferTerms } from '../payments/events.ts';
import {
  requireActive,
  requireApproved,
  requirePullable,
  requireRoom,
  requireUsable,
} from '../payments/parties/readiness.ts';
import { requireEnabled, requireWithinBounds } from '../platforms/limits.ts';
import { type OperatorLimits, outflowLimitsOf } from '../platforms/outflow-limits.ts';
import type { ActivePlatform } from '../platforms/platform.ts';
import { bankReference } from '../values/bank-reference.ts';

export type Pair = { readonly internal: OpenAccount; readonly external: ExternalAccountDetails };

export type TransferRequest = Pick<TransferTerms, 'direction' | 'agentAction'> & {
  /** Of the transaction. */
  readonly uuid: string;
  /** In minor units of the currency of both accounts. */
  readonly amount: bigint;
  readonly paymentRail?: string | undefined;
  readonly remittanceInformation?: string | undefined;
  readonly purposeOfPayment?: string | undefined;
};

/** Two accounts with those whom a transfer between them concerns. */
export type TransferParties = Pair & {
  readonly platform: ActivePlatform;
  /** Of the internal account; nobody where it is the platform's own. */
  readonly owner: KnownCustomer | undefined;
};

/** Throws `Rejected` where the two accounts, their owner or the amount do not allow it. */
export function termsOfTransfer(
  request: TransferRequest,
  { platform, owner, ...pair }: TransferParties,
  operatorLimits: OperatorLimits,
  at: Date,
): TransferTerms {
  const { direction, uuid, amount, remittanceInformation, purposeOfPayment, agentAction } = request;
  const { internal, external } = pair;
  const { paymentRail = defaultRailOf(external.accountInfo) } = request;
  requireApproved(owner);
  requireSame(pair);
  const money = { minor: amount, currency: internal.currency };
  requireEnabled(platform, money.currency, direction === 'IN' ? 'INCOMING' : 'OUTGOING');
  requireWithinBounds(platform, money);
  requireRail(external.accountInfo, request.paymentRail);
  requireReady(direction, pair, amount);
  const limits = direction === 'OUT' && outflowLimitsOf(platform, money.currency, operatorLimits);
  const inside = { kind: 'INTERNAL' as const, accountId: internal.accountId };
  const outside = { kind: 'EXTERNAL' as const, accountId: external.externalAccountId };
  const ends =
    direction === 'IN'
      ? { source: outside, destination: inside }
      : { source: inside, destination: { ...outside, ...(paymentRail && { paymentRail }) } };
  return {
    transactionId: idOf('Transaction', uuid),
    platformId: platform.platformId,
    customerId: internal.customerId,
    platformCustomerId: owner?.platformCustomerId ?? null,
    reference: bankReference(direction === 'IN' ? 'TI' : 'TO', uuid),
    direction,
    ...ends,
    amount: money,
    remittanceInformation,
    purposeOfPayment,
    ...(agentAction && { agentAction }),
    ...(limits && { limits }),
    at,
  };
}

function requireReady(direction: 'IN' | 'OUT', { internal, external }: Pair, amount: bigint): void {
  if (direction === 'IN') {
    requireActive(internal, 'destination');
    requireRoom(internal, amount);
    requirePullable(external);
  } else {
    requireNoWallet(internal);
    requireActive(internal, 'source');
    requireUsable(external, 'destination');
  }
}

function requireSame({ internal, external }: Pair): void {
  if (internal.customerId !== external.customerId) {
    const message = 'must belong to the same owner as the other account';
    const errors = ['source.accountId', 'destination.accountId'].map((field) => ({ field, message }));
    throw new Rejected(
      'INVALID_INPUT',
      'Both accounts must belong to the same customer, or both to the platform.',
      { errors },
    );
  }
  if (internal.currency === external.currency) return;
  const message = `A transfer keeps its currency: one account holds ${internal.currency}, the other ${external.currency}. Use a quote.`;
  throw new Rejected('INVALID_CURRENCY', message, { currencies: [internal.currency, external.currency] });
}

function requireNoWallet({ accountType }: OpenAccount): void {
  if (accountType !== 'EMBEDDED_WALLET') return;
  throw badField('source.accountId', 'is an embedded wallet, whose payments need a signature: use a quote');
}
