/** The platform's say over what its agents ask for. */

import { paymentOf } from '../../../domain/agents/actions/operation.ts';
import type { Operation } from '../../../domain/agents/events.ts';
import type { KeptOperation, Problem } from '../../../domain/agents/state.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { type PlatformId, uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { saysNo } from '../../../kernel/rejected.ts';
import type { Commands } from '../../commands.ts';
import { actionOf, type FoundAction } from '../../find/agent.ts';
import { loadQuote } from '../../find/quote.ts';
import { requireExecutable } from '../../quotes/executable.ts';
import { findPair, newTransfer } from '../../transfers/transfer.ts';
import { requireSignerActive } from '../../wallets/signing.ts';
import { settled } from './settle.ts';
import type { SubmitDeps } from './submit.ts';

/** The action after the approval: FAILED where it cannot be executed now. */
export async function approveAction(
  deps: SubmitDeps,
  found: FoundAction,
  cause: Cause,
): Promise<FoundAction> {
  const { commands, rates, now } = deps;
  const { agent, actionId, action } = found;
  const waits = action.status === 'PENDING_APPROVAL';
  const again = waits ? await lookedAtAgain(deps, found, cause) : action;
  const { operation, problem } = again;
  const command = {
    type: 'ApproveAction',
    actionId,
    operation,
    problem,
    rates: rates.table,
    by: cause.actor,
    at: now(),
  } as const;
  await commands.run('agent', uuidOf(agent.details.agentId), command, cause);
  return settled(deps, agent, actionId, cause);
}

export async function rejectAction(
  { commands, now }: Pick<SubmitDeps, 'commands' | 'now'>,
  { agent, actionId }: FoundAction,
  rejectionReason: string,
  cause: Cause,
): Promise<FoundAction> {
  const command = {
    type: 'RejectAction',
    actionId,
    rejectionReason,
    by: cause.actor,
    at: now(),
  } as const;
  const { state } = await commands.run('agent', uuidOf(agent.details.agentId), command, cause);
  invariant(state.status !== 'NONE', 'decided on an agent that is not there');
  return actionOf(state, actionId);
}

type Again = { readonly operation: Operation; readonly problem?: Problem };

/** The operation as it would be submitted now, and what else than the policy stands against it. */
async function lookedAtAgain(deps: SubmitDeps, found: FoundAction, cause: Cause): Promise<Again> {
  try {
    return { operation: await submittable(deps, found, cause) };
  } catch (error) {
    // The action waits on where nobody can say now whether it would be done.
    if (!saysNo(error)) throw error;
    const { code, message } = error;
    return { operation: found.action.operation, problem: { code, message } };
  }
}

async function submittable(deps: SubmitDeps, found: FoundAction, cause: Cause): Promise<Operation> {
  const { operation } = found.action;
  const { platformId } = found.agent.details;
  if (operation.type !== 'EXECUTE_QUOTE') return transferAgain(deps, platformId, operation);
  const { createsQuote, ...execution } = operation;
  if (createsQuote) await requireCreated(deps.commands, found, cause);
  const quote = await loadQuote(deps.commands, platformId, operation.quoteId);
  await requireExecutable(deps, quote);
  await requireStillSigned(deps, operation);
  return createsQuote ? { ...execution, creates: quote.terms.quote } : execution;
}

type Execution = Extract<KeptOperation, { type: 'EXECUTE_QUOTE' }>;

/** A session that was revoked while its payment waited pays nothing any more. */
async function requireStillSigned(
  { commands, now }: Pick<SubmitDeps, 'commands' | 'now'>,
  operation: Execution,
): Promise<void> {
  const { source } = paymentOf(operation);
  if (operation.signedBy === undefined || source.kind !== 'INTERNAL') return;
  requireSignerActive(operation.signedBy, await commands.load('wallet', uuidOf(source.accountId)), now());
}

/** A crash may have come between the request and the quote that it creates. */
async function requireCreated(
  commands: Commands,
  { agent, actionId, action }: FoundAction,
  cause: Cause,
): Promise<void> {
  const made = await commands.load('transaction', uuidOf(paymentOf(action.operation).transactionId));
  if (made.status !== 'NONE') return;
  const isIts = ({ data }: { data: object }) => 'actionId' in data && data.actionId === actionId;
  await commands.resume('agent', uuidOf(agent.details.agentId), isIts, cause, [actionId]);
}

async function transferAgain(
  deps: SubmitDeps,
  platformId: PlatformId,
  { type, transfer }: Exclude<KeptOperation, Execution>,
): Promise<Operation> {
  const { direction, source, destination, amount, transactionId, agentAction } = transfer;
  const { remittanceInformation, purposeOfPayment } = transfer;
  const [inside, outside] = direction === 'IN' ? [destination, source] : [source, destination];
  invariant(inside.kind === 'INTERNAL' && outside.kind === 'EXTERNAL', 'a transfer between other accounts');
  const pair = await findPair(deps.commands, platformId, inside.accountId, outside.accountId);
  const request = {
    direction,
    uuid: uuidOf(transactionId),
    amount: amount.minor,
    paymentRail: destination.kind === 'EXTERNAL' ? destination.paymentRail : undefined,
    agentAction,
    remittanceInformation,
    purposeOfPayment,
  };
  return { type, transfer: newTransfer(deps, request, pair) };
}
