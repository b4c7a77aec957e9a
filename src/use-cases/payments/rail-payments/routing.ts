/** By which way a payment to an address goes: to the account of a customer here, or to the rail. Settled once, in the log. */
import type { RoutingCommand } from '../../../domain/payments/commands.ts';
import type { FailureReason, QuoteTerms } from '../../../domain/payments/events.ts';
import { mayMove } from '../../../domain/payments/life/moves.ts';
import type { Payment } from '../../../domain/payments/life/progress.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { type RejectionCode, saysNo } from '../../../kernel/rejected.ts';
import type { Commands } from '../../commands.ts';
import type { Payees } from '../../find/payees.ts';
import type { LocalPayments } from '../local-payments.ts';

type Deps = {
  readonly commands: Commands;
  readonly payees: Pick<Payees, 'standing'>;
  readonly local: Pick<LocalPayments, 'announcedTo'>;
  readonly now: () => Date;
};

/**
 * The payment with its way, for one that needs none as it is. Where the payee cannot be paid any more it has failed
 * instead. Safe to repeat: of several answers, also of other processes, the first is recorded and holds.
 */
export async function routed(deps: Deps, payment: Payment, cause: Cause): Promise<Payment> {
  const { terms } = payment;
  const goesToAddress = terms.kind === 'quote' && terms.destination.kind === 'UMA_ADDRESS';
  if (!goesToAddress || !mayMove(payment, 'PaymentRouted')) return payment;
  const command = await wayOf(deps, terms.quote);
  const { state } = await deps.commands.run('transaction', uuidOf(terms.transactionId), command, cause);
  invariant(state.stage !== 'none', 'the way of a payment that is not there');
  return state;
}

async function wayOf({ payees, local, now }: Deps, quote: QuoteTerms): Promise<RoutingCommand> {
  try {
    // Before payees were fixed and ways recorded, a payment may have been announced to whoever held its address.
    const announced = quote.payee ? undefined : await local.announcedTo(quote.transactionId);
    return { type: 'RoutePayment', route: announced ?? (await payees.standing(quote)), at: now() };
  } catch (error) {
    // That nobody can say now who it is refuses nothing: it is asked again.
    if (!saysNo(error)) throw error;
    return { type: 'RefuseRoute', reason: reasonOf(error.code), at: now() };
  }
}

const reasonOf = (code: RejectionCode): FailureReason =>
  code === 'WEBHOOK_ENDPOINT_NOT_SET' ? 'PAYMENT_APPROVAL_WEBHOOK_ERROR' : 'PAY_REQUEST_FAILED';

/** Whether it was given to a customer here. Before ways were recorded it may have been announced to whoever held its address. */
export const isDelivered = async (
  local: Pick<LocalPayments, 'announcedTo'>,
  { route, terms }: Payment,
): Promise<boolean> =>
  route ? route.kind === 'CUSTOMER' : (await local.announcedTo(terms.transactionId)) !== undefined;
