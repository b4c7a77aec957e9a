/**
 * All processes that hand payments over have the same rail: where one has none, it fails a payment that another has handed
 * over; where one has another rail, both are given it.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { goneAfterMs } from '../../../projections/migrations/versions.ts';
import { createPool, type Pool } from '../../infrastructure/postgres/pool.ts';
import { listenersLike, ofEachProcess } from '../../infrastructure/postgres/processes.ts';
import type { Config } from '../config.ts';
import { type CannotStart, cannotStart } from './cannot-start.ts';

type Named = Pick<Config, 'environment' | 'roles' | 'outside'>;

const lookEveryMs = 250;
const marked = `${ofEachProcess.listening}-rail-`;
const withoutRail = `${marked}none`;
/** Enough to tell rails apart. */
const digits = 12;

/** A process that serves requests does so at once, beside one that works off what is left over. */
export const handsPaymentsOver = ({ roles }: Pick<Config, 'roles'>): boolean =>
  roles.includes('api') || roles.includes('worker');

/**
 * What the connection on which a process listens is called, which other processes see: with a digest of what `DAYBOOK_RAIL`
 * says, where it hands payments over to that. The sandbox's rail is the same in all of them.
 */
export function listeningName({ environment, roles, outside: { rail } }: Named): string {
  if (environment === 'sandbox' || !handsPaymentsOver({ roles })) return ofEachProcess.listening;
  if (!rail) return withoutRail;
  const text = rail.kind === 'own' ? rail.name : rail.kind === 'module' ? rail.path : rail.url;
  return `${marked}${createHash('sha256').update(text).digest('hex').slice(0, digits)}`;
}

/** Throws `CannotStart` where processes with another rail are at work, and have not ended after `waitMs`. */
async function requireOneRail(pool: Pick<Pool, 'query'>, config: Named, waitMs: number): Promise<void> {
  const own = listeningName(config);
  if (!own.startsWith(marked)) return;
  const end = performance.now() + waitMs;
  for (;;) {
    const others = (await listenersLike(pool, marked)).filter(({ name }) => name !== own);
    const [first] = others;
    if (!first) return;
    if (performance.now() >= end) throw another(own, first);
    await sleep(lookEveryMs);
  }
}

/** Before others can see this process: one that is refused keeps none of theirs from starting. */
export async function requireTheirRail(databaseUrl: string, config: Named): Promise<void> {
  const pool = createPool({ url: databaseUrl, max: 1, name: 'rail' });
  await requireOneRail(pool, config, goneAfterMs).finally(() => pool.end());
}

/** Once others see it: of two that start at the same time one at least sees the other. */
export const requireStillTheirRail = (pool: Pool, config: Named): Promise<void> =>
  requireOneRail(pool, config, 0);

type Other = { readonly name: string; readonly at: string | null };

function another(own: string, { name, at }: Other): CannotStart {
  const other = `a process that is at work on this database (connected from ${at ?? 'this machine'})`;
  const tried =
    own === withoutRail
      ? `is not set, and ${other} has a rail`
      : name === withoutRail
        ? `is set, and ${other} has no rail`
        : `is another one than that of ${other}`;
  return cannotStart({
    variable: 'DAYBOOK_RAIL',
    tried,
    next: 'Set the same in every process with the role api or worker, and stop all of them before the first one starts with another',
  });
}
