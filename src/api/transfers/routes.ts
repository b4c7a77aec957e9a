import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import type { OperatorLimits } from '../../domain/platforms/outflow-limits.ts';
import type { TransferParties, TransferRequest } from '../../domain/transfers/terms.ts';
import { type InternalAccountId, idOf } from '../../kernel/ids.ts';
import type { Commands } from '../../use-cases/commands.ts';
import type { Payments } from '../../use-cases/payments/rail-payments/rail-payments.ts';
import { makeTransfer, resumeTransfer } from '../../use-cases/transfers/make.ts';
import { findPair, newTransfer } from '../../use-cases/transfers/transfer.ts';
import { type Repeat, type Request, type Route, routeOn } from '../operation.ts';
import { renderTransaction } from '../transactions/render.ts';
import { transferIn, transferOut } from './operations.ts';

type Deps = {
  readonly commands: Commands;
  readonly payments: Payments;
  readonly operatorLimits: OperatorLimits;
  readonly now: () => Date;
};
type Repeated = Repeat<typeof transferIn> | Repeat<typeof transferOut>;
type Asking = Request<typeof transferIn> | Request<typeof transferOut>;

export function transferRoutes(deps: Deps): readonly Route[] {
  const { commands } = deps;
  const transfer = async (
    request: Asking,
    pair: TransferParties,
    way: Pick<TransferRequest, 'direction' | 'paymentRail'>,
  ) => {
    const { amount, remittanceInformation, purposeOfPayment } = request.body;
    const asked = {
      uuid: request.uuidFor('transfer'),
      amount,
      remittanceInformation,
      purposeOfPayment,
      ...way,
    };
    const terms = newTransfer(deps, asked, pair);
    const payment = await makeTransfer(deps, terms, pair.external, request);
    return { status: 201, body: renderTransaction(rowOfPayment(payment)) };
  };
  const resume = async ({ uuidFor, requestedBy, cause }: Repeated, accountId?: InternalAccountId) => {
    const transactionId = idOf('Transaction', uuidFor('transfer'));
    const payment = await resumeTransfer(deps, { transactionId, accountId, requestedBy }, cause);
    return payment && { status: 201, body: renderTransaction(rowOfPayment(payment)) };
  };
  return [
    routeOn(
      transferIn,
      ({ body: { source, destination }, principal }) =>
        findPair(commands, principal.platformId, destination.accountId, source.accountId),
      (request, pair) => transfer(request, pair, { direction: 'IN' }),
      (repeat) => resume(repeat),
    ),
    routeOn(
      transferOut,
      ({ body: { source, destination }, principal }) =>
        findPair(commands, principal.platformId, source.accountId, destination.accountId),
      (request, pair) => {
        const { paymentRail } = request.body.destination;
        return transfer(request, pair, { direction: 'OUT', paymentRail });
      },
      (repeat) => resume(repeat, repeat.body?.source.accountId),
    ),
  ];
}
