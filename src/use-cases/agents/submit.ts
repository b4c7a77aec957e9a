/**
 * From an agent's request to its action. The agent's stream decides and counts; reactions do what it has decided. A
 * request that is repeated after a crash finds its action and sees it through.
 */

import { requireCovered } from '../../domain/accounts/account.ts';
import { amountOf, paymentOf } from '../../domain/agents/actions/operation.ts';
import { type Access, authorize } from '../../domain/agents/authorize.ts';
import type { Operation } from '../../domain/agents/events.ts';
import type { KnownAgent } from '../../domain/agents/state.ts';
import type { Rates } from '../../domain/money/rates.ts';
import { agentAction } from '../../domain/payments/events.ts';
import { debitEntryId } from '../../domain/payments/transaction.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type AgentActionId, idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { isRejectionCode, Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { actionOf, type FoundAction } from '../find/agent.ts';
import type { Payments } from '../payments/rail-payments.ts';

export type SubmitDeps = {
  readonly commands: Commands;
  readonly payments: Payments;
  readonly rates: Rates;
  readonly now: () => Date;
};
type Attempt = { readonly cause: Cause; readonly uuidFor: (what: string) => string };

/**
 * The action after what it asks for was done, or left to wait for approval. `prepare` looks at everything that the
 * agent's stream does not know of. Throws `Rejected` where the policy forbids it or it cannot be executed.
 */
export async function submit(
  deps: SubmitDeps,
  attempt: Attempt,
  agent: KnownAgent,
  prepare: (actionId: AgentActionId) => Promise<Operation>,
): Promise<FoundAction> {
  const { commands, rates, now } = deps;
  const { cause, uuidFor } = attempt;
  const { agentId } = agent.details;
  const actionId = idOf('AgentAction', uuidFor('action'));
  if (agent.actions.get(actionId)) {
    const isIts = ({ data }: { data: object }) => 'actionId' in data && data.actionId === actionId;
    await commands.resume('agent', uuidOf(agentId), isIts, cause);
  } else {
    const operation = await prepare(actionId);
    const command = { type: 'SubmitAction', actionId, operation, rates: rates.table, at: now() } as const;
    await commands.run('agent', uuidOf(agentId), command, cause);
  }
  const found = await settled(deps, agent, actionId, cause);
  const { problem } = found.action;
  if (problem && isRejectionCode(problem.code)) throw new Rejected(problem.code, problem.message);
  return found;
}

/** The action as it stands, after the rail was asked whether it refuses a transfer at once. */
export async function settled(
  { commands, payments }: Pick<SubmitDeps, 'commands' | 'payments'>,
  { details: { agentId } }: KnownAgent,
  actionId: AgentActionId,
  cause: Cause,
): Promise<FoundAction> {
  const decided = await reload(commands, agentId, actionId);
  if (decided.action.status !== 'APPROVED') return decided;
  await seeThrough(commands, decided, cause);
  const found = await reload(commands, agentId, actionId);
  const { status, operation } = found.action;
  if (status !== 'APPROVED' || operation.type === 'EXECUTE_QUOTE') return found;
  const { transactionId } = operation.transfer;
  await payments.refuseNow(transactionId, cause);
  const payment = await commands.load('transaction', uuidOf(transactionId));
  if (payment.status === 'FAILED' || payment.status === 'REJECTED')
    await commands.resume('transaction', uuidOf(transactionId), isOf(actionId), cause);
  return reload(commands, agentId, actionId);
}

/**
 * The worker carries out the same events, and may be in the middle of it: what it has recorded so far is followed here
 * as well, so that the answer shows where it leads.
 */
async function seeThrough(
  commands: Commands,
  { actionId, action: { operation } }: FoundAction,
  cause: Cause,
): Promise<void> {
  if (await isUnderway(commands, operation, actionId)) return;
  const { source, transactionId } = paymentOf(operation);
  if (source.kind === 'INTERNAL')
    await commands.resume('account', uuidOf(source.accountId), isOf(actionId), cause);
  await commands.resume('transaction', uuidOf(transactionId), isOf(actionId), cause);
}

/** The events that come of an action. */
const isOf =
  (actionId: AgentActionId) =>
  ({ data }: { readonly data: object }): boolean =>
    'agentAction' in data && agentAction.safeParse(data.agentAction).data?.actionId === actionId;

/** Whether the payment has begun, and by this action. */
async function isUnderway(
  commands: Commands,
  operation: Operation,
  actionId: AgentActionId,
): Promise<boolean> {
  const { source, transactionId } = paymentOf(operation);
  const payment = await commands.load('transaction', uuidOf(transactionId));
  if (payment.status === 'NONE') return false;
  if (operation.type !== 'EXECUTE_QUOTE') return true;
  if (payment.status === 'PENDING' || payment.status === 'EXPIRED') return false;
  if (source.kind !== 'INTERNAL') return payment.fundedBy === actionId;
  const account = await commands.load('account', uuidOf(source.accountId));
  return account.status !== 'none' && account.entries.bookedBy(debitEntryId(transactionId)) === actionId;
}

async function reload(
  commands: Commands,
  agentId: KnownAgent['details']['agentId'],
  actionId: AgentActionId,
): Promise<FoundAction> {
  const agent = await commands.load('agent', uuidOf(agentId));
  invariant(agent.status !== 'NONE', 'an action of no agent');
  return actionOf(agent, actionId);
}

/** What the policy says now. The agent's stream says it again when it decides. */
export const preview = (
  { rates, now }: Pick<SubmitDeps, 'rates' | 'now'>,
  agent: KnownAgent,
  access: Access,
  operation: { readonly minor: bigint; readonly currency: string },
) => authorize(agent, access, operation, { rates: rates.table, at: now() });

/** A payment that goes at once needs its money at once; one that waits for approval needs it then. */
export async function requireMoney(
  { commands }: Pick<SubmitDeps, 'commands'>,
  operation: Operation,
  mode: 'AUTO' | 'APPROVAL_REQUIRED',
): Promise<void> {
  const { source } = paymentOf(operation);
  if (mode !== 'AUTO' || source.kind !== 'INTERNAL') return;
  const account = await commands.load('account', uuidOf(source.accountId));
  invariant(account.status !== 'none', `${source.accountId} was never opened`);
  requireCovered(account, amountOf(operation));
}
