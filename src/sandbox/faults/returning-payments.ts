/** Payments that a fault has told to come back: when is kept in Postgres, and that there are any in memory. */
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId } from '../../kernel/ids.ts';

export type ReturningPayments = {
  /** Learns whose payments have been told to come back: of all platforms, or of one. */
  readonly load: (platformId?: PlatformId) => Promise<void>;
  /** Remembers that a payment is to come back, and when. Returns what was said of it first. */
  readonly willReturn: (platformId: PlatformId, paymentId: string, at: Date) => Promise<Date>;
  /** When it is to come back; `undefined` where it is not. */
  readonly returnOf: (paymentId: string) => Promise<Date | undefined>;
  /** Whether payments of the platform may have been told to come back. Asks nobody. */
  readonly hasReturns: (platformId: PlatformId) => boolean;
};

type Deps = {
  readonly pool: Pool;
  readonly nowOf: (platformId: string) => Date;
  /** The other processes, that there is one more. */
  readonly tell: (platformId: PlatformId) => Promise<unknown>;
};

export function returningPayments({ pool, nowOf, tell }: Deps): ReturningPayments {
  const platforms = new Set<PlatformId>();
  return {
    async load(platformId) {
      const { rows } = await pool.query<{ readonly platform_id: PlatformId }>(
        'select distinct platform_id from sandbox_returns where $1::text is null or platform_id = $1',
        [platformId ?? null],
      );
      for (const { platform_id } of rows) platforms.add(platform_id);
    },
    async willReturn(platformId, paymentId, at) {
      const { rows } = await pool.query<{ returns_at: Date | null }>(
        `insert into sandbox_returns as r (payment_id, platform_id, returns_at) values ($1, $2, $3)
         on conflict (payment_id) do update set returns_at = coalesce(r.returns_at, excluded.returns_at)
         returning returns_at`,
        [paymentId, platformId, at],
      );
      platforms.add(platformId);
      await tell(platformId);
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
    hasReturns: (platformId) => platforms.has(platformId),
  };
}
