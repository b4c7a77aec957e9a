import { uuidOf } from '../../kernel/ids.ts';
import type { FindAgent } from '../caller.ts';
import type { Commands } from '../commands.ts';
import type { AgentCredentials } from './credentials.ts';
import { isEmployed } from './own-accounts.ts';

/**
 * Who an access token is. Agent and customer are read from the log at every request: a deleted agent, or one whose
 * customer is gone, is nobody at once in every process.
 */
export const createFindAgent =
  (commands: Commands, credentials: Pick<AgentCredentials, 'findToken'>): FindAgent =>
  async (tokenHash) => {
    const token = await credentials.findToken(tokenHash);
    if (!token) return undefined;
    const agent = await commands.load('agent', uuidOf(token.agentId));
    if (agent.status !== 'ACTIVE' || agent.tokenId !== token.id) return undefined;
    const { platformId, agentId, customerId } = agent.details;
    if (!(await isEmployed(commands, agent.details))) return undefined;
    const principal = { platformId, agentId, customerId, actor: `agent:${agentId}` };
    return { tokenHash: token.tokenHash, principal };
  };
