import { actionNotFound } from '../../domain/agents/actions/action.ts';
import { agentNotFound } from '../../domain/agents/agent.ts';
import type { AgentAction, KnownAgent } from '../../domain/agents/state.ts';
import { type AgentActionId, type AgentId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { AgentCredentials, KeptDeviceCode } from '../agents/credentials.ts';
import type { AgentPrincipal } from '../caller.ts';
import type { Commands } from '../commands.ts';

/** With the actions that are named. Throws `Rejected` (404) for what is not there, not there any more, or not this platform's. */
export async function loadAgent(
  commands: Commands,
  platformId: PlatformId,
  agentId: AgentId,
  about: readonly AgentActionId[] = [],
): Promise<KnownAgent> {
  const agent = await commands.load('agent', uuidOf(agentId), about);
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

type CodeDeps = { readonly commands: Commands; readonly agentCredentials: AgentCredentials };

export type FoundCode = { readonly kept: KeptDeviceCode; readonly agent: KnownAgent };

/** Whoever has it may redeem it. Throws `Rejected` (404) for an unknown code, and for that of a deleted agent. */
export async function loadDeviceCode(
  { commands, agentCredentials }: CodeDeps,
  code: string,
): Promise<FoundCode> {
  const kept = await agentCredentials.findCode(code);
  if (!kept) throw deviceCodeNotFound();
  const agent = await commands.load('agent', uuidOf(kept.agentId));
  if (agent.status !== 'ACTIVE') throw deviceCodeNotFound();
  return { kept, agent };
}

/** The same for a platform, which has its own codes only. */
export async function loadDeviceCodeOf(
  deps: CodeDeps,
  platformId: PlatformId,
  code: string,
): Promise<FoundCode> {
  const found = await loadDeviceCode(deps, code);
  if (found.kept.platformId !== platformId) throw deviceCodeNotFound();
  return found;
}

export const deviceCodeNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such device code.', { resource: 'DeviceCode' });
