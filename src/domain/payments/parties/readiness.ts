/** Who may move money: approved customers with active accounts, and to whom: whoever is there to be paid. */
import { int64Max } from '../../../kernel/money.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { requireNotHalted } from '../../accounts/halt.ts';
import type { OpenAccount } from '../../accounts/state.ts';
import { type KnownCustomer, requireNotDeleted } from '../../customers/customer.ts';
import { isPullable } from '../../external-accounts/definitions.ts';
import type { RegisteredExternalAccount } from '../../external-accounts/external-account.ts';
import type { QuoteDestination, QuoteSource } from './parties.ts';

export function requirePayerReady(sender: KnownCustomer | undefined, source: QuoteSource): void {
  requireApproved(sender);
  if (source.kind === 'INTERNAL') requireActive(source.account, 'source');
  if (source.kind !== 'EXTERNAL') return;
  requireStays(sender);
  requirePullable(source.account);
}

/** `recipient` is who owns the account that is paid. An internal account says by itself what has become of its customer. */
export function requirePayeeReady(destination: QuoteDestination, recipient: KnownCustomer | undefined): void {
  if (destination.kind === 'INTERNAL') requireActive(destination.account, 'destination');
  if (destination.kind !== 'EXTERNAL') return;
  requireStays(recipient);
  requireUsable(destination.account, 'destination');
}

/**
 * Of who owns an external account, which nothing closes or halts with its customer. Throws `Rejected` where the customer is
 * deleted, and while it is being deleted.
 */
export function requireStays(owner: KnownCustomer | undefined): void {
  if (!owner) return;
  requireNotDeleted(owner);
  if (!owner.deletion?.isUnderWay) return;
  throw new Rejected(
    'USER_NOT_READY',
    'The customer of the external account is being deleted: it is neither paid nor pulled from until that is done or abandoned.',
  );
}

/** What an account holds has to stay within what the interface can carry. */
export function requireRoom({ balance, accountId }: OpenAccount, amount: bigint): void {
  if (balance + amount <= int64Max) return;
  const message = 'The balance would exceed what the interface can carry.';
  throw new Rejected('AMOUNT_OUT_OF_RANGE', message, { accountId });
}

export function requireApproved(customer: KnownCustomer | undefined): void {
  if (!customer) return;
  requireNotDeleted(customer);
  if (customer.kycStatus === 'APPROVED') return;
  const { kycStatus, customerType } = customer;
  throw new Rejected(
    'USER_NOT_READY',
    `The customer is ${kycStatus}; only an APPROVED customer moves money.`,
    customerType === 'BUSINESS' ? { kybStatus: kycStatus } : { kycStatus },
  );
}

export function requireActive(account: OpenAccount, side: string): void {
  const { status } = account;
  if (status !== 'ACTIVE')
    throw new Rejected('USER_NOT_READY', `The ${side} account is ${status}.`, { status });
  requireNotHalted(account);
}

export function requireUsable({ status }: RegisteredExternalAccount['details'], side: string): void {
  if (status !== 'ACTIVE')
    throw new Rejected('INVALID_BANK_ACCOUNT', `The ${side} account is ${status}.`, { status });
}

/** Money is pulled from USD accounts by ACH, and from no others. */
export function requirePullable(account: RegisteredExternalAccount['details']): void {
  requireUsable(account, 'source');
  if (isPullable(account.accountInfo)) return;
  const message = `Money cannot be pulled from a ${account.accountInfo.accountType}. Pay in with the internal account's payment instructions.`;
  throw new Rejected('INVALID_BANK_ACCOUNT', message, { accountType: account.accountInfo.accountType });
}
