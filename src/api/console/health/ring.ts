/** How the answering process has done in the last minutes: a point every few seconds, in memory, for each platform. */

export const pointEveryMs = 5_000;
/** 15 minutes. */
export const pointsMax = 180;
/** Of one platform and one point: the quantiles of more are those of the first. */
const timesMax = 2_000;
/** What takes questions is measured for platforms at whose health somebody has looked a moment ago. */
const watchedMs = 60_000;

/** What is measured by asking; positions and counts. */
export type Measured = {
  readonly projectionLagEvents: number;
  readonly queueDepth: number;
  readonly deliveriesWaiting: number;
  readonly deliveriesFailed: number;
};

type Counted = { readonly requests: number; readonly payments: number; readonly times: readonly number[] };
type Counting = { requests: number; payments: number; readonly times: number[] };
type Point = {
  readonly at: Date;
  readonly counted: ReadonlyMap<string, Counted>;
  readonly measured: Map<string, Measured>;
};

export type HealthPoint = {
  readonly at: Date;
  readonly requestsPerSecond: number;
  readonly paymentsPerSecond: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
} & { readonly [Name in keyof Measured]: number | null };

export type Health = {
  readonly note: (platformId: string, ms: number, isPayment: boolean) => void;
  /** Ends a point. */
  readonly look: () => Promise<void>;
  /** Oldest first; asks for the platform from now on. */
  readonly of: (platformId: string) => Promise<readonly HealthPoint[]>;
};

type Deps = {
  readonly now: () => Date;
  readonly measure: (platformId: string) => Promise<Measured>;
};

export function createHealth({ now, measure }: Deps): Health {
  const points: Point[] = [];
  /** Until when. */
  const watched = new Map<string, number>();
  let counting = new Map<string, Counting>();

  return {
    note(platformId, ms, isPayment) {
      let own = counting.get(platformId);
      if (!own) {
        own = { requests: 0, payments: 0, times: [] };
        counting.set(platformId, own);
      }
      own.requests += 1;
      if (isPayment) own.payments += 1;
      if (own.times.length < timesMax) own.times.push(ms);
    },
    async look() {
      const counted = counting;
      counting = new Map();
      const at = now();
      for (const [platformId, until] of watched) if (until < at.getTime()) watched.delete(platformId);
      const measured = new Map<string, Measured>();
      points.push({ at, counted, measured });
      if (points.length > pointsMax) points.shift();
      for (const platformId of watched.keys()) measured.set(platformId, await measure(platformId));
    },
    async of(platformId) {
      const isNew = !watched.has(platformId);
      watched.set(platformId, now().getTime() + watchedMs);
      const last = points.at(-1);
      // Whoever looks for the first time waits for no point.
      if (isNew && last && !last.measured.has(platformId))
        last.measured.set(platformId, await measure(platformId));
      return points.map((point) => pointOf(point, platformId));
    },
  };
}

const unmeasured = {
  projectionLagEvents: null,
  queueDepth: null,
  deliveriesWaiting: null,
  deliveriesFailed: null,
};

function pointOf({ at, counted, measured }: Point, platformId: string): HealthPoint {
  const { requests, payments, times } = counted.get(platformId) ?? { requests: 0, payments: 0, times: [] };
  const sorted = times.toSorted((a, b) => a - b);
  const seconds = pointEveryMs / 1_000;
  const own = {
    at,
    requestsPerSecond: requests / seconds,
    paymentsPerSecond: payments / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  };
  return Object.assign(own, measured.get(platformId) ?? unmeasured);
}

/** The least time within which this share was answered. */
function quantile(sorted: readonly number[], share: number): number | null {
  const ms = sorted[Math.ceil(sorted.length * share) - 1];
  return ms === undefined ? null : Math.round(ms * 100) / 100;
}
