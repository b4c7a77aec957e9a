/** Transfers as an agent: the same as the platform's, behind the agent's policy. */

import { transferAccess } from '../../../domain/agents/actions/operation.ts';
import type { Operation } from '../../../domain/agents/events.ts';
import type { KnownAgent } from '../../../domain/agents/state.ts';
import type { TransferParties, TransferRequest } from '../../../domain/transfers/terms.ts';
import { type AgentActionId, idOf, uuidOf } from '../../../kernel/ids.ts';
import type { Attempt } from '../../attempt.ts';
import type { FoundAction } from '../../find/agent.ts';
import { newTransfer } from '../../transfers/transfer.ts';
import { requireAllowed, requireMoney } from './allowed.ts';
import { type SubmitDeps, submit } from './submit.ts';

type Asked = Omit<TransferRequest, 'uuid' | 'agentAction'>;

export async function transferAsAgent(
  deps: SubmitDeps,
  agent: KnownAgent,
  pair: TransferParties,
  asked: Asked,
  { cause, uuidFor }: Attempt,
): Promise<FoundAction> {
  const actionId = idOf('AgentAction', uuidFor('action'));
  return submit(deps, agent, actionId, await transfer(deps, agent, pair, asked, actionId), cause);
}

/** The transaction has the uuid of the action. What the policy says comes before what the accounts say. */
async function transfer(
  deps: SubmitDeps,
  agent: KnownAgent,
  pair: TransferParties,
  asked: Asked,
  actionId: AgentActionId,
): Promise<Operation> {
  const { agentId } = agent.details;
  const { accountId, currency } = pair.internal;
  const access = transferAccess(asked.direction, accountId, pair.external.externalAccountId);
  const mode = requireAllowed(deps, agent, access, { minor: asked.amount, currency });
  const request = { ...asked, uuid: uuidOf(actionId), agentAction: { agentId, actionId } };
  const terms = newTransfer(deps, request, pair);
  const operation = { type: `TRANSFER_${asked.direction}` as const, transfer: terms };
  await requireMoney(deps, operation, mode);
  return operation;
}
