/**
 * From an agent's request to its action. The agent's stream decides and counts; reactions do what it has decided. A
 * request that is repeated after a crash finds its action and sees it through.
 */

import type { Operation } from '../../../domain/agents/events.ts';
import type { AgentAction, KnownAgent } from '../../../domain/agents/state.ts';
import type { Rates } from '../../../domain/money/rates.ts';
import type { OperatorLimits } from '../../../domain/platforms/outflow-limits.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { type AgentActionId, idOf, uuidOf } from '../../../kernel/ids.ts';
import { isRejectionCode, Rejected } from '../../../kernel/rejected.ts';
import type { Attempt } from '../../attempt.ts';
import type { Commands } from '../../commands.ts';
import type { FoundAction } from '../../find/agent.ts';
import type { Payees } from '../../find/payees.ts';
import type { Payments } from '../../payments/rail-payments/rail-payments.ts';
import { accountRefusal } from './allowed.ts';
import { settled } from './settle.ts';

export type SubmitDeps = {
  readonly commands: Commands;
  readonly payments: Payments;
  readonly payees: Payees;
  readonly rates: Rates;
  readonly operatorLimits: OperatorLimits;
  readonly now: () => Date;
};

/**
 * The request's own action, which it submitted before it was cut short, seen through. Throws `Rejected` where what it
 * asks for was refused then, not where it has waited for approval.
 */
export async function resumeAction(
  deps: SubmitDeps,
  agent: KnownAgent,
  { cause, uuidFor }: Attempt,
): Promise<FoundAction | undefined> {
  const actionId = idOf('AgentAction', uuidFor('action'));
  const uuid = uuidOf(agent.details.agentId);
  const now = await deps.commands.load('agent', uuid, [actionId]);
  if (now.status === 'NONE' || !now.actions.get(actionId)) return undefined;
  const isIts = ({ data }: { data: object }) => 'actionId' in data && data.actionId === actionId;
  await deps.commands.resume('agent', uuid, isIts, cause, [actionId]);
  return executed(deps, agent, actionId, cause);
}

/**
 * The action after what it asks for was done, or left to wait for approval. Throws `Rejected` where the policy forbids
 * it or it cannot be executed.
 */
export async function submit(
  deps: SubmitDeps,
  agent: KnownAgent,
  actionId: AgentActionId,
  operation: Operation,
  cause: Cause,
): Promise<FoundAction> {
  const { commands, rates, now } = deps;
  const command = { type: 'SubmitAction', actionId, operation, rates: rates.table, at: now() } as const;
  await commands.run('agent', uuidOf(agent.details.agentId), command, cause);
  return executed(deps, agent, actionId, cause);
}

/** Whether it was answered with the action, which waited for approval: whatever came of it later is no refusal. */
const hasWaited = ({ counted, decidedAt }: AgentAction): boolean =>
  counted === undefined || decidedAt !== undefined;

async function executed(
  deps: SubmitDeps,
  agent: KnownAgent,
  actionId: AgentActionId,
  cause: Cause,
): Promise<FoundAction> {
  const found = await settled(deps, agent, actionId, cause);
  const { problem } = found.action;
  if (!problem || !isRejectionCode(problem.code) || hasWaited(found.action)) return found;
  const { code, message } = problem;
  const told = await accountRefusal(deps.commands, found.action);
  throw told?.code === code ? told : new Rejected(code, message);
}
