import { Rejected } from '../../kernel/rejected.ts';
import type { Principal } from '../../use-cases/caller.ts';
import type { EnvironmentOf } from '../../use-cases/find/platform.ts';
import type { Route } from '../operation.ts';

/** Operations of the sandbox take a platform of the sandbox, whatever the token says. */
export const forSandboxPlatforms =
  (environmentOf: EnvironmentOf) =>
  (route: Route): Route => {
    const { operation, handle } = route;
    if (!operation.sandboxOnly || operation.authentication === 'none') return route;
    return {
      ...route,
      async handle(request, loaded) {
        const { platformId } = request.principal as Principal;
        if ((await environmentOf(platformId)) === 'sandbox') return handle(request, loaded);
        throw new Rejected('FORBIDDEN', 'Sandbox operations take a platform of the sandbox.');
      },
    };
  };
