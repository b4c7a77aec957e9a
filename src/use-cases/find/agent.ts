/** Agents and their actions as the log has them now. */
import { type AgentActionRow, rowOfAction } from '../../../projections/models/agent-actions.ts';
import { rowOfPayment, type TransactionRow } from '../../../projections/models/transaction-row.ts';
import { renderAgentAction } from '../../api/agents/render.ts';
import { type AgentAction, actionNotFound } from '../../domain/agents/action.ts';
import { agentNotFound, type KnownAgent } from '../../domain/agents/agent.ts';
import type { Commands } from '../../domain/aggregates.ts';
import type { AgentPrincipal } from '../../infrastructure/http/operation.ts';
import {
  type AgentActionId,
  type AgentId,
  type PlatformId,
  type TransactionId,
  uuidOf,
} from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';

/** Throws `Rejected` (404) for what is not there, not there any more, or not this platform's. */
export async function loadAgent(
  commands: Commands,
  platformId: PlatformId,
  agentId: AgentId,
): Promise<KnownAgent> {
  const agent = await commands.load('agent', uuidOf(agentId));
  if (agent.status !== 'ACTIVE' || agent.details.platformId !== platformId) throw agentNotFound();
  return agent;
}

/** The agent that asks. */
export async function loadSelf(commands: Commands, { agentId }: AgentPrincipal): Promise<KnownAgent> {
  const agent = await commands.load('agent', uuidOf(agentId));
  if (agent.status === 'ACTIVE') return agent;
  throw new Rejected('UNAUTHORIZED', 'The access token is not known, or not valid any more.');
}

export type FoundAction = {
  readonly agent: KnownAgent;
  readonly actionId: AgentActionId;
  readonly action: AgentAction;
};

/** Throws `Rejected` (404) for an action that is not the agent's. */
export function actionOf(agent: KnownAgent, actionId: AgentActionId): FoundAction {
  const action = agent.actions.get(actionId);
  if (!action) throw actionNotFound();
  return { agent, actionId, action };
}

/** The action with the payment that it is about. */
export async function renderAction(commands: Commands, { agent, actionId, action }: FoundAction) {
  const row: AgentActionRow = rowOfAction(agent, actionId, action);
  return renderAgentAction(row, await paymentOf(commands, row.transaction_id));
}

async function paymentOf(commands: Commands, id: TransactionId): Promise<TransactionRow | undefined> {
  const payment = await commands.load('transaction', uuidOf(id));
  return payment.status === 'NONE' ? undefined : rowOfPayment(payment);
}
