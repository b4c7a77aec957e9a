/** The faults of all platforms: kept in Postgres, known to every process, looked for in memory. */
import type { Log } from '../../infrastructure/observe/log.ts';
import type { Listening } from '../../infrastructure/postgres/listen.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import {
  applies,
  type Effect,
  type Fault,
  type FaultId,
  isInShare,
  type Occasion,
  type Rule,
} from './rules.ts';

/** Of one platform. */
export const faultsMax = 100;
const channel = 'daybook_sandbox_faults';

export type Faults = {
  /** What is to happen now; counts as having happened. Asks nobody where the platform has no faults. */
  readonly strike: (platformId: PlatformId, occasion: Occasion) => Promise<Effect | undefined>;
  /** Whether the platform has faults at all. Asks nobody. */
  readonly hasAny: (platformId: PlatformId) => boolean;
  readonly list: (platformId: PlatformId) => Promise<readonly Fault[]>;
  /** Throws `Rejected` (CONFLICT) for one too many. Safe to repeat. */
  readonly add: (fault: Fault) => Promise<void>;
  /** Whether it was there. */
  readonly remove: (platformId: PlatformId, id: FaultId) => Promise<boolean>;
  /** Remembers that a payment is to come back, and when. Returns what was said of it first. */
  readonly willReturn: (platformId: PlatformId, paymentId: string, at: Date) => Promise<Date>;
  /** When it is to come back; `undefined` where it is not. */
  readonly returnOf: (paymentId: string) => Promise<Date | undefined>;
  /** Whether payments of the platform may have been told to come back. Asks nobody. */
  readonly hasReturns: (platformId: PlatformId) => boolean;
};

type Deps = {
  readonly pool: Pool;
  readonly listening: Pick<Listening, 'on'>;
  readonly log: Log;
  readonly nowOf: (platformId: string) => Date;
};
type Known = { readonly fault: Fault; matched: number };
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
export async function openFaults({ pool, listening, log, nowOf }: Deps): Promise<Faults> {
  let known = new Map<PlatformId, readonly Known[]>();
  const returning = new Set<PlatformId>();

  /** What there is of a platform, with how often each has matched in this process. */
  const remember = (platformId: PlatformId, faults: readonly Fault[]) => {
    const before = new Map(known.get(platformId)?.map(({ fault, matched }) => [fault.id, matched]));
    if (faults.length === 0) known.delete(platformId);
    else
      known.set(
        platformId,
        faults.map((fault) => ({ fault, matched: before.get(fault.id) ?? 0 })),
      );
  };
  const loadReturns = async (platformId?: PlatformId) => {
    const { rows } = await pool.query<Pick<Row, 'platform_id'>>(
      'select distinct platform_id from sandbox_returns where $1::text is null or platform_id = $1',
      [platformId ?? null],
    );
    for (const { platform_id } of rows) returning.add(platform_id);
  };
  const load = async () => {
    const { rows } = await pool.query<Row>(
      `select ${columns} from sandbox_faults where remaining is null or remaining > 0 order by created_at, id`,
    );
    const byPlatform = Map.groupBy(rows.map(faultOf), ({ platformId }) => platformId);
    known = new Map([...known].filter(([platformId]) => byPlatform.has(platformId)));
    for (const [platformId, faults] of byPlatform) remember(platformId, faults);
    await loadReturns();
  };
  const loadOf = async (platformId: PlatformId): Promise<readonly Fault[]> => {
    const { rows } = await pool.query<Row>(
      `select ${columns} from sandbox_faults
       where platform_id = $1 and expires_at > $2 and (remaining is null or remaining > 0)
       order by created_at, id`,
      [platformId, nowOf(platformId)],
    );
    const faults = rows.map(faultOf);
    remember(platformId, faults);
    return faults;
  };
  const changed = async (platformId: PlatformId) => {
    await loadOf(platformId);
    await pool.query('select pg_notify($1, $2)', [channel, platformId]);
  };
  const report = (error: unknown) => log.warn({ err: error }, 'the faults of platforms were not read');
  listening.on(channel, (platformId) => {
    const hear = async (of: PlatformId) => {
      await loadOf(of);
      await loadReturns(of);
    };
    return (platformId === undefined ? load() : hear(platformId as PlatformId)).catch(report);
  });
  await load();

  const take = async ({ id }: Fault): Promise<boolean> => {
    const { rowCount } = await pool.query(
      `update sandbox_faults set remaining = remaining - 1
       where id = $1 and (remaining is null or remaining > 0)`,
      [id],
    );
    return rowCount === 1;
  };
  /** It has happened as often as it may, or its time is over: nobody is asked about it any more. */
  const forget = ({ id, platformId }: Fault) => {
    const others = (known.get(platformId) ?? []).filter(({ fault }) => fault.id !== id);
    if (others.length > 0) known.set(platformId, others);
    else known.delete(platformId);
  };
  /** Of an attempt before this one, whose answer was lost. */
  const isThere = async (platformId: PlatformId, id: string): Promise<boolean> => {
    const { rowCount } = await pool.query('select from sandbox_faults where platform_id = $1 and id = $2', [
      platformId,
      id,
    ]);
    return rowCount === 1;
  };
  const isHit = async (one: Known, occasion: Occasion): Promise<boolean> => {
    const { fault } = one;
    if (fault.expiresAt <= nowOf(fault.platformId)) forget(fault);
    else if (applies(fault, occasion)) {
      one.matched += 1;
      if (!isInShare(fault, one.matched - 1)) return false;
      const isTaken = await take(fault);
      if (!isTaken) forget(fault);
      return isTaken;
    }
    return false;
  };

  return {
    async strike(platformId, occasion) {
      for (const one of known.get(platformId) ?? []) if (await isHit(one, occasion)) return one.fault.effect;
      return undefined;
    },
    hasAny: (platformId) => known.has(platformId),
    list: loadOf,
    async add({ id, platformId, match, effect, remaining, createdAt, expiresAt }) {
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
      if (rowCount === 0 && !(await isThere(platformId, id))) throw tooMany();
      await changed(platformId);
    },
    async remove(platformId, id) {
      const { rowCount } = await pool.query('delete from sandbox_faults where platform_id = $1 and id = $2', [
        platformId,
        id,
      ]);
      await changed(platformId);
      return rowCount === 1;
    },
    async willReturn(platformId, paymentId, at) {
      const { rows } = await pool.query<{ returns_at: Date | null }>(
        `insert into sandbox_returns as r (payment_id, platform_id, returns_at) values ($1, $2, $3)
         on conflict (payment_id) do update set returns_at = coalesce(r.returns_at, excluded.returns_at)
         returning returns_at`,
        [paymentId, platformId, at],
      );
      returning.add(platformId);
      await pool.query('select pg_notify($1, $2)', [channel, platformId]);
      return rows[0]?.returns_at ?? at;
    },
    async returnOf(paymentId) {
      const { rows } = await pool.query<{ returns_at: Date | null; platform_id: PlatformId }>(
        'select returns_at, platform_id from sandbox_returns where payment_id = $1',
        [paymentId],
      );
      const [row] = rows;
      return row && (row.returns_at ?? nowOf(row.platform_id));
    },
    hasReturns: (platformId) => returning.has(platformId),
  };
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
