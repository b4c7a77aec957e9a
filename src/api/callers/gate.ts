/** Who calls, whether they may, and how often. */

import type { Permission } from '../../domain/tokens/permissions.ts';
import { networkOf } from '../../infrastructure/http/client-network.ts';
import { otherBody } from '../../infrastructure/http/once/keyed.ts';
import type { FailureLimit, RateLimits } from '../../infrastructure/http/once/rate-limits.ts';
import type { Caller, Gate, Origin } from '../../infrastructure/http/operation.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { AgentPrincipal, FindAgent, FindToken, Principal } from '../../use-cases/caller.ts';
import type { ConsoleSessions } from '../../use-cases/console/sessions.ts';
import type { EnvironmentOf } from '../../use-cases/find/platform.ts';
import type { Guessed, Operation, RateLimitName } from '../operation.ts';
import { requireSandbox } from '../sandbox/only.ts';
import { authenticate, authenticateAgent } from './authenticate.ts';
import { requireSession, sessionIn } from './console-session.ts';

export type GateDeps = {
  readonly findToken: FindToken;
  /** Told of each request of a token. */
  readonly used: (principal: Principal) => void;
  readonly findAgent: FindAgent;
  readonly consoleSessions: Pick<ConsoleSessions, 'find'>;
  readonly rateLimits: RateLimits<RateLimitName>;
  /** Of somebody without credentials, and of platforms. */
  readonly guesses: { readonly strangers: FailureLimit; readonly platforms: FailureLimit };
  readonly environmentOf: EnvironmentOf;
  /** Whether a platform wants its keys used for one body each. */
  readonly isStrict: (platformId: PlatformId) => Promise<boolean>;
  /** Whether a platform wants fields that an operation does not know refused. */
  readonly refusesUnknownFields: (platformId: PlatformId) => Promise<boolean>;
  /** Throws `Rejected` (RATE_LIMITED) for a list too many of a caller. */
  readonly countList: (actor: string) => void;
  /** Throws `Rejected` (503) while there is only a part of the platform. */
  readonly requireWhole: (platformId: PlatformId) => void;
  /** What throws `Rejected` (503) once the platform was put back to a snapshot since now. */
  readonly staying: (platformId: PlatformId) => () => void;
};

export function createGate({
  findToken,
  used,
  findAgent,
  consoleSessions,
  rateLimits,
  guesses,
  countList,
  requireWhole,
  staying,
  environmentOf,
  isStrict,
  refusesUnknownFields,
}: GateDeps): Gate<Operation> {
  const callerOf = async ({ authentication }: Operation, from: Origin) => {
    const header = from.get('authorization');
    if (authentication === 'bearer') return authenticateAgent(findAgent, header);
    const session = header === undefined ? sessionIn(from.get.bind(from)) : undefined;
    return session
      ? (await requireSession(consoleSessions, session)).principal
      : authenticate(findToken, header);
  };
  return {
    async identify(operation, from) {
      if (operation.authentication === 'none') return undefined;
      const caller = await callerOf(operation, from);
      requireWhole(caller.platformId);
      if (!('agentId' in caller)) used(caller);
      return caller;
    },
    async isStill(operation, from) {
      try {
        return isPermitted(operation, await callerOf(operation, from));
      } catch (error) {
        if (error instanceof Rejected) return false;
        throw error;
      }
    },
    // Before anything else is looked at, so that guessing costs nothing but patience.
    async count({ rateLimit, guessed, isList }, params, caller, from) {
      if (!caller) return guessed ? checkGuesses(guesses.strangers, guessed, params, from.ip) : undefined;
      if (isList) countList(caller.actor);
      await rateLimits('token', caller.actor);
      if (rateLimit) await rateLimits(rateLimit, caller.platformId, JSON.stringify(params));
      if (guessed) await guesses.platforms.check(caller.platformId);
    },
    admit: ({ sandboxOnly }, caller) =>
      sandboxOnly ? requireSandbox(environmentOf, known(caller)) : undefined,
    async refused({ guessed }, params, caller, from, { code }) {
      if (!guessed) return;
      const { refusal, keyIn } = guessed;
      if (caller) return code === refusal ? guesses.platforms.count(caller.platformId) : undefined;
      if (code === refusal) await guesses.strangers.count(...origin(from.ip));
      else if (keyIn && from.get(keyIn) !== undefined) await guesses.strangers.count(...subject(params));
    },
    isPermitted: (operation, caller) => isPermitted(operation, known(caller)),
    requirePermission: (operation, caller) => requirePermission(operation, known(caller)),
    async refuseOtherBody(caller, fields) {
      if (await isStrict(known(caller).platformId)) throw otherBody(fields);
    },
    refusesUnread: (caller) => refusesUnknownFields(known(caller).platformId),
    // Each agent has its own keys, and the tokens of a platform share theirs.
    keyHolder: (caller) => {
      const principal = known(caller);
      return 'agentId' in principal ? principal.agentId : principal.platformId;
    },
    tenantOf: (caller) => known(caller).platformId,
    // A session of the console is let in as its token, by a cookie in place of credentials.
    countedAs: ({ actor }, from) =>
      from.get('authorization') === undefined ? `${actor} at the console` : actor,
    staying: (caller) => staying(known(caller).platformId),
  };
}

const origin = (ip = '') => ['from', networkOf(ip)];
const subject = (params: object) => ['about', JSON.stringify(params)];

async function checkGuesses(
  guesses: FailureLimit,
  { keyIn }: Guessed,
  params: object,
  ip: string | undefined,
): Promise<void> {
  await guesses.check(...origin(ip));
  if (keyIn) await guesses.check(...subject(params));
}

/** Every caller comes from `identify`. */
const known = (caller: Caller) => caller as Principal | AgentPrincipal;

/** What an agent may do follows from its policy, which its operations look at themselves. */
const isPermitted = ({ permission }: Operation, principal: Principal | AgentPrincipal): boolean =>
  'agentId' in principal ||
  permission.some((one: Permission) => one === 'VIEW' || principal.permissions.includes(one));

function requirePermission(operation: Operation, principal: Principal | AgentPrincipal): void {
  if ('agentId' in principal) return;
  const { permission } = operation;
  if (isPermitted(operation, principal)) return;
  throw new Rejected('FORBIDDEN', `The API token lacks the permission ${permission.join(' or ')}.`, {
    requiredPermission: permission.length === 1 ? permission[0] : permission,
  });
}
