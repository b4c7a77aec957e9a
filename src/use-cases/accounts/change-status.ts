/** Changes the status of an account by hand: the operator's, or that of whoever tries a platform in the sandbox. */
import type { OpenAccount } from '../../domain/accounts/state.ts';
import type {
  ExternalAccountDetails,
  RegisteredExternalAccount,
} from '../../domain/external-accounts/external-account.ts';
import type { LaterStatus } from '../../domain/external-accounts/status.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };

/** What the status becomes, and why: the reason stands in the log with whoever it was. */
export type StatusChange<Status> = { readonly status: Status; readonly reason: string };

/** The statuses that an internal account is given by hand. */
export const freezingStatuses = ['ACTIVE', 'FROZEN'] as const;
export type FreezingStatus = (typeof freezingStatuses)[number];

/** Freezes the account, or lifts that; nothing where it is so already. Throws `Rejected` (409) in any other status. */
export async function changeFreezing(
  { commands, now }: Deps,
  { accountId }: Pick<OpenAccount, 'accountId'>,
  { status, reason }: StatusChange<FreezingStatus>,
  cause: Cause,
): Promise<OpenAccount> {
  const type = status === 'FROZEN' ? 'FreezeAccount' : 'UnfreezeAccount';
  const { state } = await commands.run('account', uuidOf(accountId), { type, reason, at: now() }, cause);
  invariant(state.status !== 'none', 'changed an account that is not there');
  return state;
}

/** Nothing where it is so already. */
export async function changeExternalStatus(
  { commands, now }: Deps,
  { externalAccountId }: Pick<ExternalAccountDetails, 'externalAccountId'>,
  { status, reason }: StatusChange<LaterStatus>,
  cause: Cause,
): Promise<RegisteredExternalAccount> {
  const command = { type: 'ChangeExternalAccountStatus', status, reason, at: now() } as const;
  const { state } = await commands.run('externalAccount', uuidOf(externalAccountId), command, cause);
  invariant(state.kind === 'registered', 'changed an account that is not there');
  return state;
}
