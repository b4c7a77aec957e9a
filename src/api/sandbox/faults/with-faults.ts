/** Operations go wrong as their caller's platform has asked for it. Those of the sandbox itself do not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { uncounted } from '../../../infrastructure/deadlines/deadline.ts';
import { Dropped } from '../../../infrastructure/http/dropped.ts';
import type { PlatformId } from '../../../kernel/ids.ts';
import { Rejected, type RejectionCode } from '../../../kernel/rejected.ts';
import type { Faults } from '../../../sandbox/faults/faults.ts';
import type { Operation, Route } from '../../operation.ts';

/** So many requests of a platform are held up at once in a process, which others need too; more are answered at once. */
const delayedMax = 16;
/** After a refusal for the moment. */
const retryAfterSeconds = 1;

/** Whether the operation has a caller whose faults could hit it, and is none by which these are steered. */
export const canBeHit = ({ authentication, sandboxOnly }: Operation): boolean =>
  !sandboxOnly && authentication !== 'none';

export function withFaults(faults: Pick<Faults, 'hasAny' | 'strike'>): (route: Route) => Route {
  const delayed = new Map<PlatformId, number>();
  const delay = async (platformId: PlatformId, ms: number) => {
    const others = delayed.get(platformId) ?? 0;
    if (others >= delayedMax) return;
    delayed.set(platformId, others + 1);
    await uncounted(() => sleep(ms));
    const left = (delayed.get(platformId) ?? 1) - 1;
    if (left > 0) delayed.set(platformId, left);
    else delayed.delete(platformId);
  };
  return (route) => {
    const { operation, handle } = route;
    const { operationId } = operation;
    if (!canBeHit(operation)) return route;
    const struck: Route['handle'] = async (request, loaded) => {
      const platformId = request.principal.platformId as PlatformId;
      const { params, query, body } = request;
      const occasion = {
        target: 'operation',
        name: operationId,
        about: [params, query, body, ...namedByPath(operation, loaded)],
      } as const;
      const effect = await faults.strike(platformId, occasion);
      if (!effect) return handle(request, loaded);
      if (effect.kind === 'REFUSE') throw refused(effect.code);
      const { when } = effect as Extract<typeof effect, { when: string }>;
      const strike = async () => {
        if (effect.kind === 'DROP') throw new Dropped();
        if (effect.kind === 'DELAY') await delay(platformId, effect.delayMs);
      };
      if (when === 'BEFORE') {
        await strike();
        await request.stillKnown();
        // What it is about may have changed while it was held up, or be gone.
        return handle(request, (await route.load(request)) as never);
      }
      const answer = await handle(request, loaded);
      await strike();
      return answer;
    };
    const isSpared = ({ principal }: Parameters<Route['handle']>[0]) =>
      !faults.hasAny(principal.platformId as PlatformId);
    return {
      ...route,
      handle: (request, loaded) => (isSpared(request) ? handle : struck)(request, loaded),
    };
  };
}

/**
 * The object that the path names: what else an operation has looked for is its own business, such as the customer of an
 * account, or the agent that asks.
 */
function namedByPath({ path }: Operation, loaded: unknown): readonly unknown[] {
  if (!path.includes('{') || typeof loaded !== 'object' || loaded === null) return [];
  if (!('agent' in loaded)) return [loaded];
  const { agent: _agent, ...named } = loaded;
  return [named];
}

/** Refusals after which a caller is told when to come back, as it is without a fault. */
const passing: ReadonlySet<RejectionCode> = new Set(['RATE_LIMITED', 'SERVICE_UNAVAILABLE']);

const refused = (code: RejectionCode): Rejected =>
  new Rejected(
    code,
    'A fault of the sandbox refuses this.',
    passing.has(code) ? { retryAfterSeconds } : undefined,
  );
