import { paymentOf } from '../../src/domain/agents/actions/operation.ts';
import type { Operation } from '../../src/domain/agents/events.ts';
import type { AgentAction, KnownAgent } from '../../src/domain/agents/state.ts';
import type { AgentActionId, AgentId, CustomerId, PlatformId } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import type { ReadDb } from '../database.ts';
import { within } from '../dates.ts';
import { atOneMoment } from '../one-moment.ts';
import { type Page, type PageRequest, paginate, type SortOrder } from '../pagination.ts';
import type { AgentActionRow, StoredAmounts, StoredTransfer } from '../tables/agents.ts';
import type { TransactionRow } from '../tables/transactions.ts';
import { findTransactions } from './transactions.ts';

export const storedAmounts = <T extends object>(value: T): StoredAmounts<T> =>
  JSON.parse(
    JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? member.toString() : member)),
  );

/** The row of an action in a state of its agent. */
export function rowOfAction({ details }: KnownAgent, id: AgentActionId, action: AgentAction): AgentActionRow {
  const { operation } = action;
  return {
    id,
    platform_id: details.platformId,
    agent_id: details.agentId,
    customer_id: details.customerId,
    platform_customer_id: details.platformCustomerId,
    type: operation.type,
    status: action.status,
    transaction_id: paymentOf(operation).transactionId,
    transfer: operation.type === 'EXECUTE_QUOTE' ? null : storedTransfer(operation.transfer),
    rejection_reason: action.rejectionReason ?? null,
    failure: action.problem ?? null,
    decided_at: action.decidedAt ?? null,
    decided_by: action.decidedBy ?? null,
    created_at: action.createdAt,
    updated_at: action.updatedAt,
  };
}

function storedTransfer({
  amount,
  source,
  destination,
}: Exclude<Operation, { type: 'EXECUTE_QUOTE' }>['transfer']): StoredTransfer {
  invariant('accountId' in source && 'accountId' in destination, 'a transfer without accounts');
  return {
    amount: amount.minor.toString(),
    currency: amount.currency,
    sourceAccountId: source.accountId,
    destinationAccountId: destination.accountId,
  };
}

/** An action, and the payment that it is about, where that is there: both as they were at one moment. */
export type ActionWithPayment = {
  readonly action: AgentActionRow;
  readonly payment: TransactionRow | undefined;
};

/** In the order of the models. */
const read = ['transactions', 'agent_actions'] as const;

async function withPayments(
  one: ReadDb,
  platformId: PlatformId,
  actions: readonly AgentActionRow[],
): Promise<readonly ActionWithPayment[]> {
  const ids = actions.map(({ transaction_id }) => transaction_id);
  const payments = new Map((await findTransactions(one, platformId, ids)).map((row) => [row.id, row]));
  return actions.map((action) => ({ action, payment: payments.get(action.transaction_id) }));
}

export const findAgentAction = (
  db: ReadDb,
  agentId: AgentId,
  id: AgentActionId,
): Promise<ActionWithPayment | undefined> =>
  atOneMoment(db, read, async (one) => {
    const action = await one
      .selectFrom('agent_actions')
      .selectAll()
      .where('agent_id', '=', agentId)
      .where('id', '=', id)
      .executeTakeFirst();
    return action && (await withPayments(one, action.platform_id, [action]))[0];
  });

/**
 * The filters of `GET /agents/approvals`, `GET /agents/decisions` and `GET /agents/me/actions`. Dates are inclusive:
 * `startDate` and `endDate` on the creation, the others on the decision.
 */
export type AgentActionFilters = {
  readonly agentId?: AgentId | undefined;
  readonly customerId?: CustomerId | undefined;
  readonly status?: AgentAction['status'] | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  /** Only what somebody has decided. */
  readonly isDecided?: true;
  readonly decidedAfter?: Date | undefined;
  readonly decidedBefore?: Date | undefined;
};

export function listAgentActions(
  db: ReadDb,
  platformId: PlatformId,
  filters: AgentActionFilters,
  page: PageRequest,
  order: SortOrder = 'desc',
): Promise<Page<AgentActionRow>> {
  const { agentId, customerId, status, startDate, endDate } = filters;
  const { isDecided, decidedAfter, decidedBefore } = filters;
  let query = db
    .selectFrom('agent_actions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where(within({ createdAfter: startDate, createdBefore: endDate }));
  if (agentId !== undefined) query = query.where('agent_id', '=', agentId);
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (isDecided) query = query.where('decided_at', 'is not', null);
  if (decidedAfter) query = query.where('decided_at', '>=', decidedAfter);
  if (decidedBefore) query = query.where('decided_at', '<=', decidedBefore);
  return paginate(query, page, { ...filters, list: 'agent-actions' }, order);
}

export const listActionsWithPayments = (
  db: ReadDb,
  platformId: PlatformId,
  filters: AgentActionFilters,
  page: PageRequest,
  order?: SortOrder,
): Promise<Page<ActionWithPayment>> =>
  atOneMoment(db, read, async (one) => {
    const found = await listAgentActions(one, platformId, filters, page, order);
    return { ...found, rows: await withPayments(one, platformId, found.rows) };
  });
