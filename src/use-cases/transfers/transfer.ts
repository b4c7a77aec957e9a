/** A same-currency transfer between an internal and an external account of one owner (completion 10). */

import type { OpenAccount } from '../../domain/accounts/account.ts';
import { railsOf } from '../../domain/external-accounts/definitions.ts';
import type { RegisteredExternalAccount } from '../../domain/external-accounts/external-account.ts';
import type { TransferTerms } from '../../domain/payments/events.ts';
import {
  requireActive,
  requireApproved,
  requirePullable,
  requireRoom,
  requireUsable,
} from '../../domain/payments/readiness.ts';
import { requireEnabled, requireWithinLimits } from '../../domain/platforms/limits.ts';
import { referenceOf } from '../../domain/quotes/new-quote.ts';
import { type ExternalAccountId, type InternalAccountId, idOf, type PlatformId } from '../../kernel/ids.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { loadCustomerIfAny } from '../find/customer.ts';
import { loadExternalAccount } from '../find/external-account.ts';
import { loadInternalAccount } from '../find/internal-account.ts';
import { loadPlatform } from '../find/platform.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
type External = RegisteredExternalAccount['details'];
export type Pair = { readonly internal: OpenAccount; readonly external: External };

export type TransferRequest = Pick<TransferTerms, 'direction' | 'agentAction'> & {
  /** Of the transaction. */
  readonly uuid: string;
  readonly amount: bigint;
  readonly paymentRail?: string | undefined;
  readonly remittanceInformation?: string | undefined;
  readonly purposeOfPayment?: string | undefined;
};

/** Throws `Rejected` (404) for what is not there or not this platform's. */
export async function findPair(
  commands: Commands,
  platformId: PlatformId,
  internalId: InternalAccountId,
  externalId: ExternalAccountId,
): Promise<Pair> {
  const internal = await loadInternalAccount(commands, platformId, internalId);
  const external = await loadExternalAccount(commands, platformId, externalId);
  return { internal, external };
}

/** What a transfer promises. Throws `Rejected` where the two accounts, their owner or the amount do not allow it. */
export async function newTransfer(
  { commands, now }: Deps,
  platformId: PlatformId,
  request: TransferRequest,
  pair: Pair,
): Promise<TransferTerms> {
  const { direction, uuid, amount, paymentRail, remittanceInformation, purposeOfPayment } = request;
  const { internal, external } = pair;
  const owner = await loadCustomerIfAny(commands, platformId, internal.customerId);
  requireApproved(owner);
  requireSame(internal, external);
  const platform = await loadPlatform(commands, platformId);
  const money = { minor: amount, currency: internal.currency };
  requireEnabled(platform, money.currency, direction === 'IN' ? 'INCOMING' : 'OUTGOING');
  requireWithinLimits(platform, money);
  requireRail(external, paymentRail);
  requireReady(direction, pair, amount);
  const inside = { kind: 'INTERNAL' as const, accountId: internal.accountId };
  const outside = { kind: 'EXTERNAL' as const, accountId: external.externalAccountId };
  const ends =
    direction === 'IN'
      ? { source: outside, destination: inside }
      : { source: inside, destination: { ...outside, ...(paymentRail && { paymentRail }) } };
  return {
    transactionId: idOf('Transaction', uuid),
    platformId,
    customerId: internal.customerId,
    platformCustomerId: owner?.platformCustomerId ?? null,
    reference: referenceOf(direction === 'IN' ? 'TI' : 'TO', uuid),
    direction,
    ...ends,
    amount: money,
    ...{ remittanceInformation, purposeOfPayment },
    ...(request.agentAction && { agentAction: request.agentAction }),
    at: now(),
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

function requireSame(internal: OpenAccount, external: External): void {
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

function requireRail({ accountInfo }: External, paymentRail: string | undefined): void {
  const rails = railsOf(accountInfo.accountType);
  if (paymentRail === undefined || rails.some((rail) => rail === paymentRail)) return;
  const message = `must be one of the rails of ${accountInfo.accountType}`;
  throw badField('destination.paymentRail', message, { enum: [...rails] });
}

function requireNoWallet({ accountType }: OpenAccount): void {
  if (accountType !== 'EMBEDDED_WALLET') return;
  throw badField('source.accountId', 'is an embedded wallet, whose payments need a signature: use a quote');
}
