import { account } from '../../domain/accounts/account.ts';
import { entriesOfFinal, type FinalDeposit, refusedWith } from '../../domain/accounts/booking.ts';
import { referenceFor } from '../../domain/accounts/funding-identifiers.ts';
import type { AccountCommand, OpenAccount } from '../../domain/accounts/state.ts';
import { customerDeleted } from '../../domain/customers/customer.ts';
import { depositEntryId } from '../../domain/payments/transaction.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type InternalAccountId, idOf, uuidOf } from '../../kernel/ids.ts';
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
  /** A refusal is recorded at the account, and stays one: until the same is asked for without this, or by a decision. */
  readonly refusalIsFinal?: boolean | undefined;
  /** The name of what an operator has decided about a refusal that is final. */
  readonly decision?: string | undefined;
  /** Called before the account is credited, and not where it refuses the money. */
  readonly take?: () => Promise<void>;
};

type Credit = Extract<AccountCommand, { purpose: 'deposit' }>;

/** Credits money from outside. Throws `Rejected` where the account's customer is deleted, or the account not active. */
export async function creditDeposit(
  { commands, now }: Deps,
  seen: OpenAccount,
  { uuid, minor, requestedBy, refusalIsFinal = false, decision, take }: Depositing,
  cause: Cause,
): Promise<OpenAccount> {
  const { platformId, accountId, customerId, currency } = seen;
  const transactionId = idOf('Transaction', uuid);
  const owner = await loadCustomerIfAny(commands, platformId, customerId);
  const because = owner?.status === 'deleted' ? customerDeleted() : undefined;
  if (because && !refusalIsFinal) throw because;
  const credit: Credit = {
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
  };
  if (refusalIsFinal)
    return creditFinally(
      commands,
      accountId,
      { ...credit, recordsRefusal: { because, decision } },
      take,
      cause,
    );
  if (take) {
    account.decide(credit, seen);
    await take();
  }
  return bookCredit(commands, accountId, credit, cause);
}

async function creditFinally(
  commands: Commands,
  accountId: InternalAccountId,
  credit: FinalDeposit,
  take: Depositing['take'],
  cause: Cause,
): Promise<OpenAccount> {
  const seen = await commands.load('account', uuidOf(accountId), entriesOfFinal(credit));
  const [next] = account.decide(credit, seen);
  const isBooked = seen.status !== 'none' && seen.entries.get(credit.entryId) !== undefined;
  if (isBooked || next?.type === 'AccountCredited') await take?.();
  // What is seen to be refused is recorded so, since nobody has taken the money for the account.
  const because = next?.type === 'DepositRefused' ? refusalIn(next.data) : credit.recordsRefusal.because;
  const asked = { ...credit, recordsRefusal: { ...credit.recordsRefusal, because } };
  const after = await bookCredit(commands, accountId, asked, cause);
  if (after.entries.get(credit.entryId) !== undefined) return after;
  const code = refusedWith(credit, after);
  invariant(code, 'neither credited nor refused');
  throw new Rejected(code, 'The account did not take the money when it arrived.');
}

const refusalIn = ({ code, message }: { readonly code: string; readonly message: string }) => ({
  code: code as RejectionCode,
  message,
});

async function bookCredit(
  commands: Commands,
  accountId: InternalAccountId,
  credit: Credit,
  cause: Cause,
): Promise<OpenAccount> {
  const { state } = await commands.run('account', uuidOf(accountId), credit, cause);
  invariant(state.status !== 'none', 'funded an account that is not there');
  return state;
}
