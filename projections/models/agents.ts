import { sql } from 'kysely';
import type { KnownAgent } from '../../src/domain/agents/state.ts';
import type { AgentId, CustomerId, PlatformId } from '../../src/kernel/ids.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import type { ReadDb } from '../database.ts';
import { type ChangedWithin, within } from '../dates.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type { Projection } from '../projector/projection.ts';
import type { AgentRow } from '../tables/agents.ts';
import { rowOfAction, storedAmounts } from './agent-actions.ts';

export const agents: Projection = {
  name: 'agents',
  tables: ['agents', 'agent_actions'],
  project(event, rows) {
    if (event.of !== 'agent' || event.state.status === 'NONE') return;
    if ('actionId' in event.data) {
      const { actionId } = event.data;
      const action = event.state.actions.get(actionId);
      invariant(action, `${event.type} of an action that is not there`);
      rows.put('agent_actions', rowOfAction(event.state, actionId, action));
    }
    if (event.state.status === 'ACTIVE') rows.put('agents', rowOfAgent(event.state));
    else rows.remove('agents', { id: event.data.agentId });
  },
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

/** The filters of `GET /agents`; the dates are inclusive. */
export type AgentFilters = ChangedWithin & {
  readonly customerId?: CustomerId | undefined;
  readonly isPaused?: boolean | undefined;
  readonly isConnected?: boolean | undefined;
};

export function listAgents(
  db: ReadDb,
  platformId: PlatformId,
  filters: AgentFilters,
  page: PageRequest,
): Promise<Page<AgentRow>> {
  const { customerId, isPaused, isConnected } = filters;
  let query = db
    .selectFrom('agents')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where(within(filters));
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  if (isPaused !== undefined) query = query.where('is_paused', '=', isPaused);
  if (isConnected !== undefined) query = query.where('is_connected', '=', isConnected);
  return paginate(query, page, { ...filters, list: 'agents' });
}

/** The agents of a customer that have a rule for the account. */
export async function agentsWithRuleFor(
  db: ReadDb,
  platformId: PlatformId,
  customerId: CustomerId,
  accountId: string,
): Promise<readonly AgentId[]> {
  const rule = JSON.stringify([{ accountId }]);
  const rows = await db
    .selectFrom('agents')
    .select('id')
    .where('platform_id', '=', platformId)
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`policy #> '{accountRestrictions,accountRules}' @> ${rule}::jsonb`)
    .execute();
  return rows.map(({ id }) => id);
}
