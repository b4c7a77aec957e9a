/** The outside end of a payment. */
import type {
  ExternalAccount,
  ExternalAccountDetails,
} from '../../../domain/external-accounts/external-account.ts';
import type { Payment } from '../../../domain/payments/life/progress.ts';
import type { Counterparty } from '../../../domain/ports/payment-rail.ts';
import { type ExternalAccountId, uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import type { Commands } from '../../commands.ts';

export type Outside = {
  readonly counterparty: Counterparty;
  /** The account has been deleted since. */
  readonly isGone: boolean;
};

export const known = (account: ExternalAccountDetails): Outside => ({
  counterparty: { kind: 'account', account },
  isGone: false,
});

/**
 * Whether an account that was looked at for a request is there still, as far as this process remembers. Nothing is read
 * for it: what is not remembered is to be looked at anew.
 */
export function isThere(
  { recall }: Pick<Commands, 'recall'>,
  { externalAccountId }: Pick<ExternalAccountDetails, 'externalAccountId'>,
): boolean {
  const last = recall('externalAccount', uuidOf(externalAccountId));
  return last?.kind === 'registered' && !last.isDeleted;
}

export type FindAccount = (accountId: ExternalAccountId) => Promise<ExternalAccount>;

/** Whether a payment has an outside end: one between two accounts here, or from a customer here to an account, has none. */
export const hasOutside = ({ terms }: Payment): boolean => {
  const { source, destination } = terms;
  if (destination.kind !== 'INTERNAL') return true;
  if (terms.kind === 'incoming' && terms.incoming.origin) return false;
  return source.kind === 'EXTERNAL' || source.kind === 'UMA_ADDRESS';
};

export async function outsideOf({ terms }: Payment, accountOf: FindAccount): Promise<Outside> {
  const { source, destination } = terms;
  const outside = destination.kind === 'INTERNAL' ? source : destination;
  if (outside.kind === 'UMA_ADDRESS') {
    return { counterparty: { kind: 'address', umaAddress: outside.umaAddress }, isGone: false };
  }
  invariant(outside.kind === 'EXTERNAL', `${terms.transactionId} has no outside end`);
  const account = await accountOf(outside.accountId);
  invariant(account.kind === 'registered', `${outside.accountId} was never registered`);
  return { counterparty: { kind: 'account', account: account.details }, isGone: account.isDeleted };
}
