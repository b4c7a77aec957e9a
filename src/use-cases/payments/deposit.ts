import { account } from '../../domain/accounts/account.ts';
import { referenceFor } from '../../domain/accounts/funding-identifiers.ts';
import { refusedAs } from '../../domain/accounts/held-credits.ts';
import type { OpenAccount } from '../../domain/accounts/state.ts';
import { customerDeleted } from '../../domain/customers/customer.ts';
import { depositEntryId } from '../../domain/payments/transaction.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected, type RejectionCode } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { loadCustomerIfAny } from '../find/customer.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };

export type Depositing = {
  /** Of the transaction: money is credited once under it. */
  readonly uuid: string;
  /** In minor units of the account's currency. */
  readonly minor: bigint;
  readonly requestedBy: string;
  /** A refusal is recorded at the account, and stays one until the same is asked for without this. */
  readonly refusalIsFinal?: boolean;
  /** Called before the account is credited, and not where it would refuse the money, unless its refusal is recorded. */
  readonly take?: () => Promise<void>;
};

/** Credits money from outside. Throws `Rejected` where the account's customer is deleted, or the account not active. */
export async function creditDeposit(
  { commands, now }: Deps,
  seen: OpenAccount,
  { uuid, minor, requestedBy, refusalIsFinal = false, take }: Depositing,
  cause: Cause,
): Promise<OpenAccount> {
  const { platformId, accountId, customerId, currency } = seen;
  const transactionId = idOf('Transaction', uuid);
  const owner = await loadCustomerIfAny(commands, platformId, customerId);
  const because = owner?.status === 'deleted' ? customerDeleted() : undefined;
  if (because && !refusalIsFinal) throw because;
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
    ...(refusalIsFinal && { recordsRefusal: { ...(because && { because }) } }),
    at: now(),
  } as const;
  if (take) {
    if (!refusalIsFinal) account.decide(credit, seen);
    await take();
  }
  const { state } = await commands.run('account', uuidOf(accountId), credit, cause);
  invariant(state.status !== 'none', 'funded an account that is not there');
  if (!refusalIsFinal || state.entries.get(credit.entryId) !== undefined) return state;
  const code = state.entries.get(refusedAs(credit.entryId)) as RejectionCode;
  throw new Rejected(code, 'The account did not take the money when it arrived.');
}
