import type { AgentEvent } from '../../src/domain/agents/events.ts';
import type { KnownAgent } from '../../src/domain/agents/state.ts';
import { noUsage } from '../../src/domain/agents/usage.ts';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { AgentId, CustomerId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import { handlersOf, type Projection, platformOf } from '../projector/projection.ts';
import type { AgentRow } from '../tables/agents.ts';
import { changeAction, startAction, storedAmounts } from './agent-actions.ts';

type AgentEvents = Extract<DomainEvent, { type: AgentEvent['type'] }>;
type Of<T extends AgentEvents['type']> = Extract<AgentEvents, { type: T }>;

const update = (db: WriteDb, id: AgentId, changes: Partial<AgentRow>) =>
  db.updateTable('agents').set(changes).where('id', '=', id).execute();

const count = async ({ data }: Of<'AgentActionStarted' | 'AgentActionFailed'>, db: WriteDb) => {
  if (data.usage) await update(db, data.agentId, { usage: storedAmounts(data.usage) });
};

export const agents: Projection = {
  name: 'agents',
  tables: ['agents', 'agent_actions'],
  project: handlersOf<AgentEvents>({
    AgentCreated: (event, db) => {
      const { agentId, customerId, name, policy, at } = event.data;
      const usage = storedAmounts(noUsage(at));
      return db
        .insertInto('agents')
        .values({
          ...{ id: agentId, platform_id: platformOf(event), customer_id: customerId, name },
          ...{ is_paused: false, is_connected: false, policy: storedAmounts(policy), usage },
          ...{ created_at: at, updated_at: at },
        })
        .execute();
    },
    AgentChanged: ({ data: { agentId, name, isPaused, at } }, db) =>
      update(db, agentId, {
        ...(name !== undefined && { name }),
        ...(isPaused !== undefined && { is_paused: isPaused }),
        updated_at: at,
      }),
    AgentPolicyChanged: ({ data: { agentId, policy, usage, at } }, db) =>
      update(db, agentId, {
        policy: storedAmounts(policy),
        ...(usage && { usage: storedAmounts(usage) }),
        updated_at: at,
      }),
    DeviceCodeIssued: async () => undefined,
    AgentConnected: ({ data: { agentId, at } }, db) =>
      update(db, agentId, { is_connected: true, updated_at: at }),
    AgentDeleted: ({ data }, db) => db.deleteFrom('agents').where('id', '=', data.agentId).execute(),
    AgentActionRequested: (event, db) => startAction(event, db, 'PENDING_APPROVAL'),
    AgentActionStarted: async (event, db) => {
      await startAction(event, db, 'APPROVED');
      await count(event, db);
    },
    AgentActionFailed: async (event, db) => {
      await changeAction(event, db, { status: 'FAILED' });
      await count(event, db);
    },
    AgentActionRejected: (event, db) =>
      changeAction(event, db, { status: 'REJECTED', rejection_reason: event.data.rejectionReason }),
  }),
};

/** The row of an agent in a state that was just decided: the same that the projection will have. */
export const rowOfAgent = ({ details, ...state }: KnownAgent): AgentRow => ({
  id: details.agentId,
  platform_id: details.platformId,
  customer_id: details.customerId,
  name: state.name,
  is_paused: state.isPaused,
  is_connected: state.tokenId !== undefined,
  policy: storedAmounts(state.policy),
  usage: storedAmounts(state.usage),
  created_at: details.at,
  updated_at: state.updatedAt,
});

/** The filters of `GET /agents` (completion 15.2); the dates are inclusive. */
export type AgentFilters = {
  readonly customerId?: CustomerId | undefined;
  readonly isPaused?: boolean | undefined;
  readonly isConnected?: boolean | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
};

export function listAgents(
  db: ReadDb,
  platformId: PlatformId,
  filters: AgentFilters,
  page: PageRequest,
): Promise<Page<AgentRow>> {
  const { customerId, isPaused, isConnected } = filters;
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = filters;
  let query = db.selectFrom('agents').selectAll().where('platform_id', '=', platformId);
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  if (isPaused !== undefined) query = query.where('is_paused', '=', isPaused);
  if (isConnected !== undefined) query = query.where('is_connected', '=', isConnected);
  if (createdAfter) query = query.where('created_at', '>=', createdAfter);
  if (createdBefore) query = query.where('created_at', '<=', createdBefore);
  if (updatedAfter) query = query.where('updated_at', '>=', updatedAfter);
  if (updatedBefore) query = query.where('updated_at', '<=', updatedBefore);
  return paginate(query, page, { ...filters, list: 'agents' });
}
