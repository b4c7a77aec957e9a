/** What a fault makes happen: it is counted where it matches, and taken where it happens. */
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import type { Known, KnownFaults } from './known-faults.ts';
import { applies, type Effect, type Fault, isInShare, type Occasion } from './rules.ts';

type Deps = { readonly pool: Pool; readonly nowOf: (platformId: string) => Date };

export async function strike(
  deps: Deps,
  known: KnownFaults,
  platformId: PlatformId,
  occasion: Occasion,
): Promise<Effect | undefined> {
  for (const one of known.of(platformId))
    if (await isHit(deps, known, one, occasion)) return one.fault.effect;
  return undefined;
}

async function isHit(
  { pool, nowOf }: Deps,
  { forget }: Pick<KnownFaults, 'forget'>,
  one: Known,
  occasion: Occasion,
): Promise<boolean> {
  const { fault } = one;
  if (fault.expiresAt <= nowOf(fault.platformId)) forget(fault);
  else if (applies(fault, occasion)) {
    one.matched += 1;
    if (!isInShare(fault, one.matched - 1)) return false;
    const isTaken = await take(pool, fault);
    if (!isTaken) forget(fault);
    return isTaken;
  }
  return false;
}

async function take(pool: Pool, { id }: Fault): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update sandbox_faults set remaining = remaining - 1
     where id = $1 and (remaining is null or remaining > 0)`,
    [id],
  );
  return rowCount === 1;
}
