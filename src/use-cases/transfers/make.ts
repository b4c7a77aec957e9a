import type { ExternalAccountDetails } from '../../domain/external-accounts/external-account.ts';
import { transferDebit } from '../../domain/payments/debit.ts';
import type { TransferTerms } from '../../domain/payments/events.ts';
import { begunTransfer, type Payment } from '../../domain/payments/life/progress.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';
import { recallPayment } from '../find/payment.ts';
import { debitSource } from '../payments/debit-source.ts';
import type { Payments } from '../payments/rail-payments/rail-payments.ts';
import { resumePayment } from '../payments/resume.ts';

type Deps = { readonly commands: Commands; readonly payments: Pick<Payments, 'handOver' | 'taking'> };

/** The transfer that the request has begun in an attempt that was cut short, seen through. */
export async function resumeTransfer(
  { commands, payments }: Deps,
  begun: Parameters<typeof resumePayment>[1],
  cause: Cause,
): Promise<Payment | undefined> {
  const payment = await resumePayment(commands, begun, cause);
  return payment && payments.handOver(payment, cause);
}

/** Begins the transfer, once. What the rail refuses at once shows in the payment. */
export async function makeTransfer(
  { commands, payments }: Deps,
  terms: TransferTerms,
  external: ExternalAccountDetails,
  { requestedBy, cause }: { readonly requestedBy: string; readonly cause: Cause },
): Promise<Payment> {
  const { transactionId, platformId, direction } = terms;
  if (direction === 'OUT') {
    await debitSource(commands, { ...transferDebit(terms), requestedBy }, cause);
    return payments.handOver(await recallPayment(commands, platformId, transactionId), cause, external);
  }
  const command = { type: 'CreateTransfer', terms, taken: payments.taking(terms, external) } as const;
  const { state, events } = await commands.run('transaction', uuidOf(transactionId), command, cause);
  invariant(state.status !== 'NONE', 'a transfer that was not created');
  // A transfer is answered as it began, whatever the rail has said of it since.
  return command.taken && events.length > 0
    ? begunTransfer(terms)
    : payments.handOver(state, cause, external);
}
