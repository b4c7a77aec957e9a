/**
 * An agent: a program that acts for one customer within a policy. Its stream decides what it may do and counts what it
 * spends, so that no two requests together exceed a limit.
 */

import type { Decider } from '../../kernel/decider.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { converted } from '../money/convert.ts';
import type { Rates } from '../money/rates.ts';
import { type ActionCommand, decideAction, isActionCommand, waitingIn } from './actions/action.ts';
import { issued, requireRedeemable } from './device-codes.ts';
import type { AgentEvent, AgentPolicy, Usage } from './events.ts';
import { createdAgent, evolveAgent } from './evolve.ts';
import { changedPolicy, type PolicyChanges } from './policy-changes.ts';
import { paysByItself, requireMayPay, widens } from './spending.ts';
import type { Agent, AgentDetails, DeviceCode, KnownAgent } from './state.ts';

type At = { readonly at: Date };
/** Whether who asks may move money. */
type ByPayer = { readonly mayPay: boolean };

export type AgentCommand =
  | ({ readonly type: 'CreateAgent'; readonly details: AgentDetails; readonly deviceCode: DeviceCode } & At)
  | ({
      readonly type: 'ChangeAgent';
      readonly name?: string | undefined;
      readonly isPaused?: boolean | undefined;
    } & ByPayer &
      At)
  | ({
      readonly type: 'ChangePolicy';
      readonly changes: PolicyChanges;
      /** Read where the limits change their currency alone: what narrows a policy does not wait for rates. */
      readonly rates: Pick<Rates, 'table'>;
    } & ByPayer &
      At)
  | ({ readonly type: 'IssueDeviceCode'; readonly deviceCode: DeviceCode } & ByPayer & At)
  | ({ readonly type: 'RedeemDeviceCode'; readonly deviceCodeId: string; readonly tokenId: string } & At)
  | ({ readonly type: 'DeleteAgent' /** As in the metadata. */; readonly by: string } & At)
  | ActionCommand;

/** What an agent has begun ends as it ends, whatever becomes of the agent. */
const ends: ReadonlySet<AgentCommand['type']> = new Set(['FailAction', 'ExpireExecution']);

export const agent: Decider<Agent, AgentCommand, AgentEvent> = {
  initial: { status: 'NONE' },

  decide(command, state) {
    if (command.type === 'CreateAgent') {
      if (state.status !== 'NONE') return [];
      const { details, deviceCode } = command;
      return [{ type: 'AgentCreated', data: details }, issued(details, deviceCode, command.at)];
    }
    if (state.status === 'NONE') throw agentNotFound();
    if (state.status === 'DELETED' && !ends.has(command.type)) throw agentNotFound();
    return isActionCommand(command) ? decideAction(command, state) : decideAgent(command, state);
  },

  evolve(state, event) {
    if (event.type === 'AgentCreated') return createdAgent(event);
    invariant(state.status !== 'NONE', `${event.type} before the agent was created`);
    return evolveAgent(state, event);
  },
};

type Later = Exclude<AgentCommand, ActionCommand | { type: 'CreateAgent' }>;

function decideAgent(command: Later, state: KnownAgent): readonly AgentEvent[] {
  const { at } = command;
  const { agentId } = state.details;
  switch (command.type) {
    case 'ChangeAgent': {
      const { name = state.name, isPaused = state.isPaused } = command;
      const goesOn = state.isPaused && !isPaused;
      if (goesOn && paysByItself(state.policy)) requireMayPay(command.mayPay);
      // Each by itself: whoever reads one of them knows what has changed without those before it.
      const changes = [
        ...(name === state.name ? [] : [{ name }]),
        ...(isPaused === state.isPaused ? [] : [{ isPaused }]),
      ];
      return changes.map((change) => ({ type: 'AgentChanged', data: { agentId, ...change, at } }));
    }
    case 'ChangePolicy': {
      if (Object.values(command.changes).every((change) => change === undefined)) return [];
      const policy = changedPolicy(state.policy, command.changes);
      if (widens(state.policy, policy)) requireMayPay(command.mayPay);
      const usage = restated(state, policy, command.rates);
      return [{ type: 'AgentPolicyChanged', data: { agentId, policy, ...(usage && { usage }), at } }];
    }
    case 'IssueDeviceCode':
      if (paysByItself(state.policy)) requireMayPay(command.mayPay);
      if (state.tokenId !== undefined)
        throw new Rejected('CONFLICT', 'The agent is connected already, and takes no further device code.');
      return [issued(state.details, command.deviceCode, at)];
    case 'RedeemDeviceCode': {
      const { deviceCodeId, tokenId } = command;
      requireRedeemable(state, deviceCodeId, at);
      return [{ type: 'AgentConnected', data: { agentId, deviceCodeId, tokenId, at } }];
    }
    case 'DeleteAgent':
      return [{ type: 'AgentDeleted', data: { agentId, at } }, ...rejections(state, command)];
  }
}

/** What was spent, in the currency that the limits have from now on. */
function restated(
  { usage, policy }: KnownAgent,
  next: AgentPolicy,
  rates: Pick<Rates, 'table'>,
): Usage | undefined {
  const [from, to] = [policy.spendingLimits.currency, next.spendingLimits.currency];
  if (from === to) return undefined;
  const { table } = rates;
  const inNew = (minor: bigint) => converted(table, { minor, currency: from }, to);
  return { ...usage, dailySpend: inNew(usage.dailySpend), monthlySpend: inNew(usage.monthlySpend) };
}

function rejections(
  state: KnownAgent,
  { by: decidedBy, at }: Extract<Later, { type: 'DeleteAgent' }>,
): AgentEvent[] {
  const { agentId } = state.details;
  const rejectionReason = 'The agent was deleted';
  return waitingIn(state).map(([actionId]) => ({
    type: 'AgentActionRejected',
    data: { agentId, actionId, rejectionReason, decidedBy, at },
  }));
}

export const agentNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such agent.', { resource: 'Agent' });
