/** Money from nowhere, for an internal account. */
import { rowOfAccount } from '../../projections/models/internal-accounts.ts';
import type { InternalAccountRow } from '../../projections/tables/accounts.ts';
import type { OpenAccount } from '../domain/accounts/state.ts';
import { uuidOf } from '../kernel/ids.ts';
import type { Attempt } from '../use-cases/attempt.ts';
import type { Commands } from '../use-cases/commands.ts';
import { creditDeposit } from '../use-cases/payments/deposit.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };

/** The account with its new balance. Throws `Rejected` where its customer is deleted, or the account not active. */
export async function fund(
  deps: Deps,
  account: OpenAccount,
  minor: bigint,
  { uuidFor, cause, requestedBy }: Attempt & { readonly requestedBy: string },
): Promise<InternalAccountRow> {
  const deposit = { uuid: uuidFor('deposit'), minor, requestedBy };
  const funded = await creditDeposit(deps, account, deposit, cause);
  const { privateEnabled } = await deps.commands.load('wallet', uuidOf(account.accountId));
  return rowOfAccount(funded, privateEnabled);
}
