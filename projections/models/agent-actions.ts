import type { Updateable } from 'kysely';
import { paymentOf } from '../../src/domain/agents/actions/operation.ts';
import type { Operation } from '../../src/domain/agents/events.ts';
import type { AgentAction, KnownAgent } from '../../src/domain/agents/state.ts';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { AgentActionId, AgentId, CustomerId, PlatformId } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { type Page, type PageRequest, paginate, type SortOrder } from '../pagination.ts';
import { platformOf } from '../projector/projection.ts';
import type { AgentActionRow, AgentActionsTable, StoredAmounts, StoredTransfer } from '../tables/agents.ts';

export const storedAmounts = <T extends object>(value: T): StoredAmounts<T> =>
  JSON.parse(
    JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? member.toString() : member)),
  );

type Of<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

export async function startAction(
  event: Of<'AgentActionRequested' | 'AgentActionStarted'>,
  db: WriteDb,
  status: AgentAction['status'],
): Promise<void> {
  const { data } = event;
  const row = rowOf({ ...data, platformId: platformOf(event) }, data.actionId, {
    ...{ status, operation: data.operation, createdAt: data.at, updatedAt: data.at },
  });
  await db
    .insertInto('agent_actions')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ status, updated_at: data.at }))
    .execute();
}

export const changeAction = (
  { data }: Of<'AgentActionFailed' | 'AgentActionRejected'>,
  db: WriteDb,
  changes: Updateable<AgentActionsTable>,
) =>
  db
    .updateTable('agent_actions')
    .set({ ...changes, updated_at: data.at })
    .where('id', '=', data.actionId)
    .returning('id')
    .executeTakeFirstOrThrow();

type Holder = Pick<KnownAgent['details'], 'platformId' | 'agentId' | 'customerId' | 'platformCustomerId'>;

function rowOf(holder: Holder, id: AgentActionId, action: AgentAction): AgentActionRow {
  const { operation } = action;
  return {
    id,
    platform_id: holder.platformId,
    agent_id: holder.agentId,
    customer_id: holder.customerId,
    platform_customer_id: holder.platformCustomerId,
    type: operation.type,
    status: action.status,
    transaction_id: paymentOf(operation).transactionId,
    transfer: operation.type === 'EXECUTE_QUOTE' ? null : storedTransfer(operation.transfer),
    rejection_reason: action.rejectionReason ?? null,
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

/** The row of an action in a state that was just decided: the same that the projection will have. */
export const rowOfAction = (
  { details }: KnownAgent,
  id: AgentActionId,
  action: AgentAction,
): AgentActionRow => rowOf(details, id, action);

export const findAgentAction = (
  db: ReadDb,
  agentId: AgentId,
  id: AgentActionId,
): Promise<AgentActionRow | undefined> =>
  db
    .selectFrom('agent_actions')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The filters of `GET /agents/approvals` and `GET /agents/me/actions`; the dates are inclusive, on the creation. */
export type AgentActionFilters = {
  readonly agentId?: AgentId | undefined;
  readonly customerId?: CustomerId | undefined;
  readonly status?: AgentAction['status'] | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
};

export function listAgentActions(
  db: ReadDb,
  platformId: PlatformId,
  filters: AgentActionFilters,
  page: PageRequest,
  order: SortOrder = 'desc',
): Promise<Page<AgentActionRow>> {
  const { agentId, customerId, status, startDate, endDate } = filters;
  let query = db.selectFrom('agent_actions').selectAll().where('platform_id', '=', platformId);
  if (agentId !== undefined) query = query.where('agent_id', '=', agentId);
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (startDate) query = query.where('created_at', '>=', startDate);
  if (endDate) query = query.where('created_at', '<=', endDate);
  return paginate(query, page, { ...filters, list: 'agent-actions' }, order);
}
