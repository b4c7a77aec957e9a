/** Operations of the sandbox are for platforms of a sandbox, whatever a token says, and whatever a process has. */
import { Rejected } from '../../kernel/rejected.ts';
import type { AgentPrincipal, Principal } from '../../use-cases/caller.ts';
import type { EnvironmentOf } from '../../use-cases/find/platform.ts';
import { type Operation, type Route, route } from '../operation.ts';

const ofAnother = (what: string) =>
  new Rejected('FORBIDDEN', `Sandbox operations take ${what} of the sandbox.`);

/** Throws `Rejected` (403) for whoever is of production, and for agents: none of these operations is theirs. */
export async function requireSandbox(
  environmentOf: EnvironmentOf,
  caller: Principal | AgentPrincipal,
): Promise<void> {
  if ('agentId' in caller || caller.environment !== 'sandbox') throw ofAnother('a token');
  if ((await environmentOf(caller.platformId)) !== 'sandbox') throw ofAnother('a platform');
}

/** The operations of the sandbox that a process has no parts for are there all the same, and refuse. */
export function refusingRoutes(operations: readonly Operation[], routes: readonly Route[]): readonly Route[] {
  const served = new Set(routes.map(({ operation }) => operation.operationId));
  return operations
    .filter(({ sandboxOnly, operationId }) => sandboxOnly && !served.has(operationId))
    .map((operation) =>
      route(operation, async () => {
        throw ofAnother('an installation');
      }),
    );
}
