/** Gives a payment to the rail, or to the customer here whom it is for. Safe to repeat. */
import {
  type ExternalAccountDetails,
  saysErased,
} from '../../../domain/external-accounts/external-account.ts';
import { awaitsSubmission } from '../../../domain/payments/life/moves.ts';
import type { Payment } from '../../../domain/payments/life/progress.ts';
import type { Counterparty } from '../../../domain/ports/payment-rail.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../../kernel/ids.ts';
import type { Commands } from '../../commands.ts';
import type { Payees } from '../../find/payees.ts';
import type { LocalPayments } from '../local-payments.ts';
import type { BoundedRail } from './bounded-rail.ts';
import { type FindAccount, isThere, known, outsideOf } from './outside.ts';
import type { Recording } from './recording.ts';
import { routed } from './routing.ts';
import { toRailPayment } from './words.ts';

type Deps = {
  readonly commands: Commands;
  readonly rail: Pick<BoundedRail, 'submit' | 'statusOf' | 'withdraw'>;
  readonly local: LocalPayments;
  readonly payees: Pick<Payees, 'standing'>;
  readonly loadAccount: FindAccount;
  readonly recording: Pick<Recording, 'tell' | 'record'>;
  readonly now: () => Date;
};

/** Does nothing for a payment that has been submitted. `looked` is its external account, where it was looked at just now. */
export type Submit = (seen: Payment, cause: Cause, looked?: ExternalAccountDetails) => Promise<void>;

export function createSubmission(deps: Deps): Submit {
  const { commands, rail, local, payees, loadAccount, now } = deps;
  const { tell, record } = deps.recording;
  return async (seen, cause, looked) => {
    if (!awaitsSubmission(seen)) return;
    const payment = await routed({ commands, payees, local, now }, seen, cause);
    if (!awaitsSubmission(payment)) return;
    if (payment.route?.kind === 'CUSTOMER') {
      const reference = await local.deliver(payment, payment.route);
      await tell(payment, { type: 'RecordSubmission', reference, underway: true, at: now() }, cause);
      return;
    }
    const outside =
      looked && isThere(commands, looked) ? known(looked) : await outsideOf(payment, loadAccount);
    const { counterparty } = outside;
    const isErased = mayBeErased(counterparty) && (await isOfErased(commands, counterparty.account));
    const isGone = outside.isGone || isErased || (await isForNobody(commands, payment));
    const asked = toRailPayment(payment, counterparty);
    // An attempt that was cut short may have reached the rail.
    const status = isGone ? await rail.withdraw(asked) : await rail.statusOf(asked);
    if (status.status !== 'unknown') return record(payment, status, cause);
    if (!isGone) return record(payment, await rail.submit(asked), cause);
    await tell(payment, { type: 'FailTransaction', reason: 'QUOTE_EXECUTION_FAILED', at: now() }, cause);
  };
}

const mayBeErased = (one: Counterparty): one is Extract<Counterparty, { kind: 'account' }> =>
  one.kind === 'account' && saysErased(one.account);

/** The owner was erased once the money was taken: nobody knows any more where it was to go. */
async function isOfErased(commands: Commands, { customerId }: ExternalAccountDetails): Promise<boolean> {
  if (customerId === null) return false;
  const owner = await commands.load('customer', uuidOf(customerId));
  return owner.status !== 'none' && owner.erasedAt !== undefined;
}

/** Money that is pulled for an account that takes none any more: no rail gives it back. */
async function isForNobody(commands: Commands, { terms }: Payment): Promise<boolean> {
  const { source, destination } = terms;
  if (source.kind !== 'EXTERNAL' || destination.kind !== 'INTERNAL') return false;
  const account = await commands.load('account', uuidOf(destination.accountId));
  return account.status === 'CLOSED';
}
