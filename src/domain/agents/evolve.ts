import { KeyedHistory } from '../../kernel/keyed-history.ts';
import { evolveAction } from './actions/evolve.ts';
import type { AgentEvent } from './events.ts';
import type { AgentAction, KnownAgent } from './state.ts';
import { noUsage } from './usage.ts';

type Created = Extract<AgentEvent, { type: 'AgentCreated' }>;

export function createdAgent({ data: { name, policy, ...details } }: Created): KnownAgent {
  return {
    status: 'ACTIVE',
    details,
    name,
    policy,
    isPaused: false,
    usage: noUsage(details.at),
    restatements: 0,
    deviceCode: { deviceCodeId: '', expiresAt: details.at },
    actions: KeyedHistory.empty<AgentAction>(),
    updatedAt: details.at,
  };
}

export function evolveAgent(state: KnownAgent, event: Exclude<AgentEvent, Created>): KnownAgent {
  const { at } = event.data;
  switch (event.type) {
    case 'AgentChanged': {
      const { name = state.name, isPaused = state.isPaused } = event.data;
      return { ...state, name, isPaused, updatedAt: at };
    }
    case 'AgentPolicyChanged': {
      const { policy, usage } = event.data;
      const restated = usage && { usage, restatements: state.restatements + 1 };
      return { ...state, policy, ...restated, updatedAt: at };
    }
    case 'DeviceCodeIssued': {
      const { deviceCodeId, expiresAt } = event.data;
      return { ...state, deviceCode: { deviceCodeId, expiresAt } };
    }
    case 'AgentConnected':
      return { ...state, tokenId: event.data.tokenId, updatedAt: at };
    case 'AgentDeleted':
      return { ...state, status: 'DELETED', updatedAt: at };
    default: {
      const { actionId } = event.data;
      const action = evolveAction(state.actions.get(actionId), event, state.restatements);
      const actions = state.actions.with(actionId, action);
      const usage = 'usage' in event.data ? event.data.usage : undefined;
      return { ...state, actions, usage: usage ?? state.usage };
    }
  }
}
