/** Money from nowhere, for an internal account. */
import { rowOfAccount } from '../../projections/models/internal-accounts.ts';
import type { InternalAccountRow } from '../../projections/tables/accounts.ts';
import { referenceFor } from '../domain/accounts/funding-identifiers.ts';
import type { OpenAccount } from '../domain/accounts/state.ts';
import { requireNotDeleted } from '../domain/customers/customer.ts';
import { depositEntryId } from '../domain/payments/transaction.ts';
import { idOf, uuidOf } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Attempt } from '../use-cases/attempt.ts';
import type { Commands } from '../use-cases/commands.ts';
import { loadCustomerIfAny } from '../use-cases/find/customer.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };

/** The account with its new balance. Throws `Rejected` where its customer is deleted, or the account not active. */
export async function fund(
  { commands, now }: Deps,
  { platformId, accountId, customerId, currency }: OpenAccount,
  minor: bigint,
  { uuidFor, cause, requestedBy }: Attempt & { readonly requestedBy: string },
): Promise<InternalAccountRow> {
  const transactionId = idOf('Transaction', uuidFor('deposit'));
  const owner = await loadCustomerIfAny(commands, platformId, customerId);
  if (owner) requireNotDeleted(owner);
  const credit = {
    type: 'CreditAccount',
    purpose: 'deposit',
    from: 'rail',
    entryId: depositEntryId(transactionId),
    transactionId,
    requestedBy,
    amount: { minor, currency },
    deposit: {
      reference: referenceFor(accountId),
      platformCustomerId: owner?.platformCustomerId ?? null,
    },
    at: now(),
  } as const;
  const { state } = await commands.run('account', uuidOf(accountId), credit, cause);
  invariant(state.status !== 'none', 'funded an account that is not there');
  const { privateEnabled } = await commands.load('wallet', uuidOf(accountId));
  return rowOfAccount(state, privateEnabled);
}
