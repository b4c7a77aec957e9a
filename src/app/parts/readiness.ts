/** What a process rests on, and whether it answers. */
import { within } from '../../infrastructure/within.ts';
import type { Closer, Core } from './core.ts';

/** Who asks is a load balancer, which gives up soon itself. */
const answerMaxMs = 2_000;

export type Readiness = {
  /** Requests are served. */
  readonly ready: boolean;
  /** What does not answer, by name; without some of it requests are served all the same. */
  readonly notReady: readonly string[];
};

type Check = { readonly needed: boolean; readonly ask: () => Promise<unknown> };

/** Asks everything anew each time, side by side. Redis is not needed to serve a request. */
export async function openReadiness(
  { config, pool, store }: Pick<Core, 'config' | 'pool' | 'store'>,
  closers: Closer[],
): Promise<() => Promise<Readiness>> {
  const checks = new Map<string, Check>([['database', { needed: true, ask: () => pool.query('select 1') }]]);
  if (config.eventStoreUrl !== undefined)
    checks.set('eventStore', { needed: true, ask: () => store.read('readiness') });
  if (config.redisUrl !== undefined) {
    const { openRedisProbe } = await import('../../infrastructure/jobs/redis-probe.ts');
    const probe = openRedisProbe(config.redisUrl);
    closers.push(async () => probe.close());
    checks.set('redis', { needed: false, ask: probe.ask });
  }
  return async () => {
    const away = await Promise.all(
      [...checks].map(async ([name, { needed, ask }]) => ((await answers(ask)) ? [] : [{ name, needed }])),
    );
    const missing = away.flat();
    return {
      ready: !missing.some(({ needed }) => needed),
      notReady: missing.map(({ name }) => name),
    };
  };
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  const asked = ask().then(
    () => true,
    () => false,
  );
  return (await within(answerMaxMs, asked)) === true;
}
