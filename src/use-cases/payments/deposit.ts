import { referenceFor } from '../../domain/accounts/funding-identifiers.ts';
import type { OpenAccount } from '../../domain/accounts/state.ts';
import { requireNotDeleted } from '../../domain/customers/customer.ts';
import { depositEntryId } from '../../domain/payments/transaction.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';
import { loadCustomerIfAny } from '../find/customer.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };

export type Depositing = {
  /** Of the transaction: money is credited once under it. */
  readonly uuid: string;
  /** In minor units of the account's currency. */
  readonly minor: bigint;
  readonly requestedBy: string;
};

/** Credits money from outside. Throws `Rejected` where the account's customer is deleted, or the account not active. */
export async function creditDeposit(
  { commands, now }: Deps,
  { platformId, accountId, customerId, currency }: OpenAccount,
  { uuid, minor, requestedBy }: Depositing,
  cause: Cause,
): Promise<OpenAccount> {
  const transactionId = idOf('Transaction', uuid);
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
  return state;
}
