/** The faults of all platforms: kept in Postgres, known to every process, looked for in memory. */
import type { Log } from '../../infrastructure/observe/log.ts';
import type { Listening } from '../../infrastructure/postgres/listen.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { type KnownFaults, knownFaults } from './known-faults.ts';
import { type ReturningPayments, returningPayments } from './returning-payments.ts';
import type { Effect, Fault, FaultId, Occasion, Rule } from './rules.ts';
import { strike } from './strike.ts';

/** Of one platform. */
export const faultsMax = 100;
const channel = 'daybook_sandbox_faults';

export type Faults = Omit<ReturningPayments, 'load'> & {
  /** What is to happen now; counts as having happened. Asks nobody where the platform has no faults. */
  readonly strike: (platformId: PlatformId, occasion: Occasion) => Promise<Effect | undefined>;
  /** Whether the platform has faults at all. Asks nobody. */
  readonly hasAny: (platformId: PlatformId) => boolean;
  readonly list: (platformId: PlatformId) => Promise<readonly Fault[]>;
  /** Learns what there is of a platform that was put back. Occasions count from the first again. */
  readonly putBack: (platformId: PlatformId) => Promise<void>;
  /** Throws `Rejected` (CONFLICT) for one too many. Safe to repeat. */
  readonly add: (fault: Fault) => Promise<void>;
  /** Whether it was there. */
  readonly remove: (platformId: PlatformId, id: FaultId) => Promise<boolean>;
};

type Deps = {
  readonly pool: Pool;
  readonly listening: Pick<Listening, 'on'>;
  readonly log: Log;
  readonly nowOf: (platformId: string) => Date;
};
type Row = {
  readonly id: FaultId;
  readonly platform_id: PlatformId;
  readonly rule: Rule;
  readonly remaining: number | null;
  readonly created_at: Date;
  readonly expires_at: Date;
};

const columns = 'id, platform_id, rule, remaining, created_at, expires_at';

/** Knows what there is when it resolves. */
export async function openFaults(deps: Deps): Promise<Faults> {
  const { pool, listening, log, nowOf } = deps;
  const known = knownFaults();
  const tell = (platformId: PlatformId) => pool.query('select pg_notify($1, $2)', [channel, platformId]);
  const returning = returningPayments({ pool, nowOf, tell });

  const load = async () => {
    const { rows } = await pool.query<Row>(
      `select ${columns} from sandbox_faults where remaining is null or remaining > 0 order by created_at, id`,
    );
    known.rememberAll(rows.map(faultOf));
    await returning.load();
  };
  const changed = async (platformId: PlatformId) => {
    await loadOf(deps, known, platformId);
    await tell(platformId);
  };
  const report = (error: unknown) => log.warn({ err: error }, 'the faults of platforms were not read');
  listening.on(channel, (platformId) => {
    const hear = async (of: PlatformId) => {
      await loadOf(deps, known, of);
      await returning.load(of);
    };
    return (platformId === undefined ? load() : hear(platformId as PlatformId)).catch(report);
  });
  await load();

  return {
    strike: (platformId, occasion) => strike(deps, known, platformId, occasion),
    hasAny: known.hasAny,
    list: (platformId) => loadOf(deps, known, platformId),
    async putBack(platformId) {
      await loadOf(deps, known, platformId);
      known.countAnew(platformId);
    },
    add: (fault) => add(deps, fault, changed),
    async remove(platformId, id) {
      const { rowCount } = await pool.query('delete from sandbox_faults where platform_id = $1 and id = $2', [
        platformId,
        id,
      ]);
      await changed(platformId);
      return rowCount === 1;
    },
    willReturn: returning.willReturn,
    returnOf: returning.returnOf,
    hasReturns: returning.hasReturns,
  };
}

async function loadOf(
  { pool, nowOf }: Pick<Deps, 'pool' | 'nowOf'>,
  known: KnownFaults,
  platformId: PlatformId,
): Promise<readonly Fault[]> {
  const { rows } = await pool.query<Row>(
    `select ${columns} from sandbox_faults
     where platform_id = $1 and expires_at > $2 and (remaining is null or remaining > 0)
     order by created_at, id`,
    [platformId, nowOf(platformId)],
  );
  const faults = rows.map(faultOf);
  known.remember(platformId, faults);
  return faults;
}

async function add(
  { pool, nowOf }: Pick<Deps, 'pool' | 'nowOf'>,
  { id, platformId, match, effect, remaining, createdAt, expiresAt }: Fault,
  changed: (platformId: PlatformId) => Promise<void>,
): Promise<void> {
  const rule = JSON.stringify({ match, effect });
  await pool.query(
    'delete from sandbox_faults where platform_id = $1 and (expires_at <= $2 or remaining <= 0)',
    [platformId, nowOf(platformId)],
  );
  const { rowCount } = await pool.query(
    `insert into sandbox_faults (${columns})
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from sandbox_faults where platform_id = $2) < $7
     on conflict do nothing`,
    [id, platformId, rule, remaining ?? null, createdAt, expiresAt, faultsMax],
  );
  if (rowCount === 0 && !(await isThere(pool, platformId, id))) throw tooMany();
  await changed(platformId);
}

/** Of an attempt before this one, whose answer was lost. */
async function isThere(pool: Pool, platformId: PlatformId, id: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from sandbox_faults where platform_id = $1 and id = $2', [
    platformId,
    id,
  ]);
  return rowCount === 1;
}

const faultOf = (row: Row): Fault => ({
  ...row.rule,
  id: row.id,
  platformId: row.platform_id,
  remaining: row.remaining ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

const tooMany = () => new Rejected('CONFLICT', `A platform has at most ${faultsMax} faults. Remove some.`);
