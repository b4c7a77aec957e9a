/**
 * Who is paid at a payment address: fixed with the quote, and looked at again before money moves. What is refused tells
 * another platform nothing about the customer that it could not see before.
 */
import type { PlatformId } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { ActivePlatform } from '../../platforms/platform.ts';
import type { Payee } from '../ends.ts';
import type { FoundPayee, QuoteDestination, Receiver } from './parties.ts';
import { requireApproved, requireStays } from './readiness.ts';

/** Why a payee cannot be paid. */
const payeeProblems = {
  ADDRESS_MOVED: 'The payment address is not held any more by whom the quote is for.',
  CURRENCY_NOT_TAKEN: 'The receiver does not take the currency of the quote any more.',
  NOT_READY: 'The receiver cannot be paid now.',
} as const;

export type PayeeProblem = keyof typeof payeeProblems;

const invalidReceiver = (reason: PayeeProblem) =>
  new Rejected('INVALID_RECEIVER', payeeProblems[reason], { reason });

type AddressDestination = Extract<QuoteDestination, { kind: 'UMA_ADDRESS' }>;

/** Of a new quote. Throws `Rejected` where nobody can be paid at the address now. */
export function payeeOf(
  { receiver, payee: found }: AddressDestination,
  { platformId }: Pick<ActivePlatform, 'platformId'>,
): Payee {
  invariant(found, 'a payee in a currency that is not taken');
  requirePayable(receiver, found, platformId);
  return found.payee;
}

/**
 * Of a quote that was made before: `receiver` is who holds its address now. Throws `Rejected` where the payee is not the
 * one that the quote has fixed, or cannot be paid any more.
 */
export function standingPayee(
  receiver: Receiver | undefined,
  found: FoundPayee | undefined,
  currency: string,
  payer: PlatformId,
): Payee {
  if (!receiver || !found || !holds(receiver, found.payee)) throw invalidReceiver('ADDRESS_MOVED');
  if (!receiver.currencies.includes(currency)) throw invalidReceiver('CURRENCY_NOT_TAKEN');
  requirePayable(receiver, found, payer);
  return found.payee;
}

const holds = ({ customer }: Receiver, payee: Payee): boolean =>
  payee.kind === 'OUTSIDE'
    ? customer === undefined
    : customer?.customerId === payee.customerId && customer.platformId === payee.platformId;

function requirePayable(
  { customer, platform }: Receiver,
  { payee, account }: FoundPayee,
  payer: PlatformId,
): void {
  if (payee.kind === 'OUTSIDE') return;
  const isOutside = account?.kind === 'EXTERNAL';
  if (customer && customer.platformId === payer) {
    requireApproved(customer);
    if (isOutside) requireStays(customer);
  }
  if (customer?.kycStatus !== 'APPROVED') throw invalidReceiver('NOT_READY');
  // An internal account is halted meanwhile, and holds what comes; nothing holds what goes on outside.
  if (isOutside && customer.deletion?.isUnderWay) throw invalidReceiver('NOT_READY');
  if (account?.account.status !== 'ACTIVE') throw invalidReceiver('NOT_READY');
  if (platform && isAsked(platform) && platform.webhookEndpoint === undefined)
    throw new Rejected(
      'WEBHOOK_ENDPOINT_NOT_SET',
      "The receiver's platform has no webhook endpoint at which it could be asked to approve the payment.",
    );
}

/** Whether the platform is asked before a payment is credited: one of the sandbox without an endpoint approves by itself. */
export const isAsked = ({ environment, webhookEndpoint }: ActivePlatform): boolean =>
  environment !== 'sandbox' || webhookEndpoint !== undefined;
