/** An agent's action: what it asks for, from the request to the execution or its refusal. */

import type { AgentActionId, TransactionId } from '../../../kernel/ids.ts';
import type { Money } from '../../../kernel/money.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { RatesTable } from '../../money/rates-file.ts';
import { authorize, forbidden } from '../authorize.ts';
import type { AgentEvent, Operation, Usage } from '../events.ts';
import type { AgentAction, KeptOperation, KnownAgent, Problem } from '../state.ts';
import { release, reserve } from '../usage.ts';
import { accessOf, amountOf } from './operation.ts';

export type ActionCommand =
  | {
      readonly type: 'SubmitAction';
      readonly actionId: AgentActionId;
      readonly operation: Operation;
      readonly rates: RatesTable;
      readonly at: Date;
    }
  | {
      readonly type: 'ApproveAction';
      readonly actionId: AgentActionId;
      /** As it would be submitted now. */
      readonly operation: Operation;
      /** What else than the policy stands against it now. */
      readonly problem?: Problem | undefined;
      readonly rates: RatesTable;
      /** Who approves, as in the metadata. */
      readonly by: string;
      readonly at: Date;
    }
  | {
      readonly type: 'RejectAction';
      readonly actionId: AgentActionId;
      readonly rejectionReason: string;
      /** Who rejects, as in the metadata. */
      readonly by: string;
      readonly at: Date;
    }
  | {
      readonly type: 'FailAction';
      readonly actionId: AgentActionId;
      readonly problem?: Problem | undefined;
      readonly at: Date;
    }
  /** A quote is over: what waits to execute it fails. */
  | { readonly type: 'ExpireExecution'; readonly transactionId: TransactionId; readonly at: Date };

/** Actions of one agent that wait for approval: they are in memory, however old they are. */
export const waitingMax = 1_000;

const actionTypes: readonly string[] = [
  'SubmitAction',
  'ApproveAction',
  'RejectAction',
  'FailAction',
  'ExpireExecution',
] satisfies ActionCommand['type'][];

export const isActionCommand = (command: { readonly type: string }): command is ActionCommand =>
  actionTypes.includes(command.type);

/**
 * Throws `Rejected`: FORBIDDEN by the policy or for too many that wait, CONFLICT where a quote's execution waits already or a
 * decision is on what waits for none.
 */
export function decideAction(command: ActionCommand, state: KnownAgent): readonly AgentEvent[] {
  if (command.type === 'ExpireExecution') return expired(command, state);
  const { actionId, at } = command;
  const known = state.actions.get(actionId);
  switch (command.type) {
    case 'SubmitAction': {
      if (known) return [];
      const { operation } = command;
      const { mode, spend } = authorize(state, accessOf(operation), amountOf(operation), command);
      if (mode === 'AUTO') return [started(command, spend, state)];
      requireMayWait(operation, state);
      return [{ type: 'AgentActionRequested', data: { ...subjectOf(command, state), operation, at } }];
    }
    case 'ApproveAction':
      requirePending(known);
      return [approved(command, state)];
    case 'RejectAction': {
      requirePending(known);
      const { agentId } = state.details;
      const { rejectionReason } = command;
      const data = { agentId, actionId, rejectionReason, ...decidedBy(command), at };
      return [{ type: 'AgentActionRejected', data }];
    }
    case 'FailAction':
      return known?.status === 'APPROVED' ? [failed(command, state, released(known, state))] : [];
  }
}

/** Everything is looked at again; what stands against the action now fails it, and nobody is refused. */
function approved(command: Extract<ActionCommand, { type: 'ApproveAction' }>, state: KnownAgent): AgentEvent {
  const { operation, problem } = command;
  if (problem) return failed(command, state);
  try {
    const { spend } = authorize(state, accessOf(operation), amountOf(operation), command);
    return started(command, spend, state);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { code, message } = error;
    return failed({ ...command, problem: { code, message } }, state);
  }
}

/** The actions that wait for approval. */
export const waitingIn = ({ actions }: KnownAgent): readonly (readonly [AgentActionId, AgentAction])[] =>
  actions
    .all()
    .flatMap(([id, action]) =>
      action.status === 'PENDING_APPROVAL' ? [[id as AgentActionId, action] as const] : [],
    );

type Starting = Extract<ActionCommand, { type: 'SubmitAction' | 'ApproveAction' }>;

function started(command: Starting, spend: Money, state: KnownAgent): AgentEvent {
  const { operation, at } = command;
  const usage = reserve(state.usage, spend.minor, at);
  const data = { ...subjectOf(command, state), operation, spend, usage, ...decidedBy(command), at };
  return { type: 'AgentActionStarted', data };
}

type Failing = Extract<ActionCommand, { type: 'ApproveAction' | 'FailAction' }>;

function failed(command: Failing, { details: { agentId } }: KnownAgent, usage?: Usage): AgentEvent {
  const { actionId, problem, at } = command;
  const told = { ...(problem && { problem }), ...(usage && { usage }) };
  return { type: 'AgentActionFailed', data: { agentId, actionId, ...told, ...decidedBy(command), at } };
}

export const quoteExpired: Problem = {
  code: 'QUOTE_EXPIRED',
  message: 'The quote expired before it was executed.',
};

function expired(
  { transactionId, at }: Extract<ActionCommand, { type: 'ExpireExecution' }>,
  state: KnownAgent,
): readonly AgentEvent[] {
  const { agentId } = state.details;
  return waitingIn(state).flatMap(([actionId, { operation }]) => {
    if (operation.type !== 'EXECUTE_QUOTE' || operation.transactionId !== transactionId) return [];
    const data = { agentId, actionId, problem: quoteExpired, undecided: true as const, at };
    return [{ type: 'AgentActionFailed', data }];
  });
}

/** Who approves or rejects; nobody where the policy alone decides, or what was approved comes to nothing. */
const decidedBy = (command: ActionCommand) => ('by' in command ? { decidedBy: command.by } : {});

/** Once the counters were restated, at a rate that they do not keep, it stays counted: never too little is. */
function released({ counted }: AgentAction, { usage, restatements }: KnownAgent): Usage | undefined {
  if (counted?.restatements !== restatements) return undefined;
  return release(usage, counted.spend.minor, counted.on);
}

function subjectOf({ actionId }: Starting, { details }: KnownAgent) {
  const { agentId, customerId, platformCustomerId } = details;
  return { agentId, actionId, customerId, platformCustomerId };
}

/** A quote is executed once: of its executions one waits. */
function requireMayWait(operation: Operation, state: KnownAgent): void {
  const waiting = waitingIn(state);
  const [same] = waiting.find(([, other]) => isOfSameQuote(other.operation, operation)) ?? [];
  if (same !== undefined)
    throw new Rejected('CONFLICT', 'The execution of the quote waits for approval already.', {
      actionId: same,
    });
  if (waiting.length < waitingMax) return;
  const message = `${waiting.length} actions of the agent wait for approval: no more may.`;
  throw forbidden('PENDING_APPROVALS', message, { limit: waitingMax });
}

const isOfSameQuote = (one: KeptOperation, other: KeptOperation): boolean =>
  one.type === 'EXECUTE_QUOTE' && other.type === 'EXECUTE_QUOTE' && one.quoteId === other.quoteId;

function requirePending(action: AgentAction | undefined): asserts action is AgentAction {
  if (!action) throw actionNotFound();
  if (action.status === 'PENDING_APPROVAL') return;
  throw new Rejected('CONFLICT', `The action is ${action.status} and waits for no approval.`, {
    status: action.status,
  });
}

export const actionNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such action.', { resource: 'AgentAction' });
