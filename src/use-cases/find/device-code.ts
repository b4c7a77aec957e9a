import type { KnownAgent } from '../../domain/agents/state.ts';
import { type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { AgentCredentials, KeptDeviceCode } from '../agents/credentials.ts';
import type { Commands } from '../commands.ts';

type Deps = { readonly commands: Commands; readonly agentCredentials: AgentCredentials };

export type FoundCode = { readonly kept: KeptDeviceCode; readonly agent: KnownAgent };

/** Whoever has it may redeem it. Throws `Rejected` (404) for an unknown code, and for that of a deleted agent. */
export async function loadDeviceCode({ commands, agentCredentials }: Deps, code: string): Promise<FoundCode> {
  const kept = await agentCredentials.findCode(code);
  if (!kept) throw deviceCodeNotFound();
  const agent = await commands.load('agent', uuidOf(kept.agentId));
  if (agent.status !== 'ACTIVE') throw deviceCodeNotFound();
  return { kept, agent };
}

/** The same for a platform, which has its own codes only. */
export async function loadDeviceCodeOf(deps: Deps, platformId: PlatformId, code: string): Promise<FoundCode> {
  const found = await loadDeviceCode(deps, code);
  if (found.kept.platformId !== platformId) throw deviceCodeNotFound();
  return found;
}

export const deviceCodeNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such device code.', { resource: 'DeviceCode' });
