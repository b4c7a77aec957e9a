/** What a process rests on, and whether it answers. */
import { within } from '../../infrastructure/deadlines/within.ts';
import type { Closer } from './closer.ts';
import type { Core } from './core/core.ts';
import { type Follower, watchFollowers } from './followers.ts';

/** Who asks is a load balancer, which gives up soon itself. */
const answerMaxMs = 800;
const lookEveryMs = 1_000;

export type Readiness = {
  /** Requests are served. */
  readonly ready: boolean;
  /** What does not answer, by name; without some of it requests are served all the same. */
  readonly notReady: readonly string[];
  /** Who follows the log. One that has stood still for too long is not ready either. */
  readonly followers: readonly Follower[];
};

type Check = { readonly needed: boolean; readonly ask: () => Promise<unknown> };

/**
 * Asks the servers side by side, each once for all who want to know meanwhile: anybody may ask, and requests wait for the
 * same connections. Tells where the followers were a moment ago. Redis is not needed to serve a request.
 */
export async function openReadiness(
  { config, pool, store, readDb, every }: Pick<Core, 'config' | 'pool' | 'store' | 'readDb' | 'every'>,
  closers: Closer[],
): Promise<() => Promise<Readiness>> {
  const checks = new Map<string, Check>([
    ['database', { needed: true, ask: oneAtATime(() => pool.query('select 1')) }],
  ]);
  if (config.eventStoreUrl !== undefined)
    // As the followers do: a user who may not read all of it follows nothing.
    checks.set('eventStore', { needed: true, ask: oneAtATime(() => store.last()) });
  if (config.redisUrl !== undefined) {
    const { openRedisProbe } = await import('../../infrastructure/jobs/redis-probe.ts');
    const probe = openRedisProbe(config.redisUrl);
    closers.push(async () => probe.close());
    checks.set('redis', { needed: false, ask: probe.ask });
  }
  const watched = watchFollowers({ readDb, store });
  // What fails now is told by the next look.
  await watched.look().catch(() => undefined);
  closers.push(every('followers', lookEveryMs, watched.look));
  return async () => {
    const away = await Promise.all(
      [...checks].map(async ([name, { needed, ask }]) => ((await answers(ask)) ? [] : [{ name, needed }])),
    );
    const missing = away.flat();
    const followers = watched.all();
    const stuck = followers.filter(({ isStuck }) => isStuck);
    return {
      ready: stuck.length === 0 && !missing.some(({ needed }) => needed),
      notReady: [...missing, ...stuck].map(({ name }) => name),
      followers,
    };
  };
}

/** Who asks while a question is under way has the answer to that. */
function oneAtATime(ask: () => Promise<unknown>): () => Promise<unknown> {
  let asking: Promise<unknown> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  const asked = ask().then(
    () => true,
    () => false,
  );
  return (await within(answerMaxMs, asked)) === true;
}
