/** Who calls, whether they may, and how often. */
import { Rejected } from '../../kernel/rejected.ts';
import { authenticate, authenticateAgent, type FindAgent, type FindToken } from './authenticate.ts';
import type { RateLimits } from './once/rate-limits.ts';
import type { AgentPrincipal, Operation, Principal } from './operation.ts';

/** Nobody in particular where the operation takes no credentials. */
export type Caller = Principal | AgentPrincipal | undefined;

/** Throws `Rejected` (401) for credentials that are not those of the operation's scheme. */
export async function callerOf(
  { authentication }: Operation,
  { findToken, findAgent }: { readonly findToken: FindToken; readonly findAgent: FindAgent },
  header: string | undefined,
): Promise<Caller> {
  if (authentication === 'none') return undefined;
  return authentication === 'bearer' ? authenticateAgent(findAgent, header) : authenticate(findToken, header);
}

/** Whose idempotency keys they are: each agent has its own, and the tokens of a platform share theirs. */
export const keyHolder = (principal: Principal | AgentPrincipal): string =>
  'agentId' in principal ? principal.agentId : principal.platformId;

/** What an agent may do follows from its policy, which its operations look at themselves. */
export const isPermitted = ({ permission }: Operation, principal: Principal | AgentPrincipal): boolean =>
  'agentId' in principal || permission.some((one) => one === 'VIEW' || principal.permissions.includes(one));

/** Throws `Rejected` (403). */
export function requirePermission(operation: Operation, principal: Principal | AgentPrincipal): void {
  if ('agentId' in principal) return;
  const { permission, sandboxOnly } = operation;
  if (sandboxOnly && principal.environment !== 'sandbox') {
    throw new Rejected('FORBIDDEN', 'Sandbox operations take a token of the sandbox.');
  }
  if (isPermitted(operation, principal)) return;
  throw new Rejected('FORBIDDEN', `The API token lacks the permission ${permission.join(' or ')}.`, {
    requiredPermission: permission.length === 1 ? permission[0] : permission,
  });
}

/** Before anything else is looked at, so that guessing costs nothing but patience. Throws `Rejected` (429). */
export async function countRequest(
  rateLimits: RateLimits,
  { rateLimit }: Operation,
  params: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<void> {
  if (!caller) return;
  await rateLimits('token', caller.actor);
  if (rateLimit) await rateLimits(rateLimit, caller.platformId, JSON.stringify(params));
}
