/**
 * What is known of an endpoint decides how many calls to it there may be at a time. One that gives no answer is left
 * alone for a while, longer each time, and then called once. Pure.
 */
import { doubledMs } from '../../../kernel/backoff.ts';
import { derivedUuid, type PlatformId } from '../../../kernel/ids.ts';

/** A call that takes longer is slow. An endpoint that was slow has to be twice as quick to be prompt again. */
export const slowMs = 1_000;
/** So many calls in a row without an answer make an endpoint silent. */
export const silentAfter = 3;
const firstClosedMs = 5_000;
export const longestClosedMs = 5 * 60_000;
/** Those of different platforms are so much shorter or longer. */
const spread = 0.2;
/** What is closed for longer was closed by a clock that has gone back since. */
export const closedMaxMs = longestClosedMs * (1 + spread);

export type Pace = 'unknown' | 'prompt' | 'slow';

export type Lane = {
  readonly pace: Pace;
  /** Calls in a row that got no answer, up to `silentAfter`. */
  readonly silences: number;
  /** How often in a row the lane was closed. */
  readonly trips: number;
  /** In milliseconds since 1970. */
  readonly closedUntil: number | null;
};

export const unknownLane: Lane = { pace: 'unknown', silences: 0, trips: 0, closedUntil: null };

/** How a lane stands: `prompt` is what calls come back from, and the others share room of their own. */
export type Standing = Pace | 'silent';

/** Calls to an endpoint at a time, of one process. */
export type Limits = Readonly<Record<Standing, number>>;

export const standingOf = ({ pace, silences, trips }: Lane): Standing => {
  if (trips > 0) return 'silent';
  return silences > 0 && pace === 'prompt' ? 'slow' : pace;
};

type Called = { readonly answered: boolean; readonly latencyMs: number };

/** The same lane where nothing changes. `platformId` spreads the moments at which silent endpoints are called. */
export function laneAfter(
  lane: Lane,
  { answered, latencyMs }: Called,
  now: number,
  platformId: PlatformId,
): Lane {
  if (answered) {
    const isSlow = latencyMs > (lane.pace === 'slow' ? slowMs / 2 : slowMs);
    const pace = isSlow ? 'slow' : 'prompt';
    if (pace === lane.pace && lane.silences === 0) return lane;
    return { pace, silences: 0, trips: 0, closedUntil: null };
  }
  // Calls that were under way when it was closed say nothing new.
  if (isClosed(lane, now)) return lane;
  const silences = Math.min(lane.silences + 1, silentAfter);
  if (silences < silentAfter) return { ...lane, silences };
  const trips = lane.trips + 1;
  return { ...lane, silences, trips, closedUntil: now + closedMs(trips, platformId) };
}

const isClosed = ({ closedUntil }: Lane, now: number): boolean =>
  closedUntil !== null && closedUntil > now && closedUntil <= now + closedMaxMs;

/** Doubling, within a fifth of it more or less. */
export function closedMs(trips: number, platformId: PlatformId): number {
  const usual = doubledMs(trips, { minMs: firstClosedMs, maxMs: longestClosedMs });
  const share = Number.parseInt(derivedUuid('lane', platformId, String(trips)).slice(0, 8), 16) / 2 ** 32;
  return Math.round(usual * (1 - spread + 2 * spread * share));
}
