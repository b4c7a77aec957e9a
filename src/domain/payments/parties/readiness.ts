/** Who may move money: approved customers with active accounts. */
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
  if (source.kind === 'EXTERNAL') requirePullable(source.account);
}

export function requirePayeeReady(destination: QuoteDestination): void {
  if (destination.kind === 'INTERNAL') requireActive(destination.account, 'destination');
  if (destination.kind === 'EXTERNAL') requireUsable(destination.account, 'destination');
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
