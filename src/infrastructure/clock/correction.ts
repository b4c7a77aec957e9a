/**
 * The time of the installation is that of its Postgres server and a correction: where the server's clock is put forward
 * or back, time goes on as if it had not been, and comes to the server's little by little. All milliseconds.
 */
export type Correction = {
  /** How far the installation's time was ahead of the server's at `sinceMs`; negative where it was behind. */
  readonly aheadMs: number;
  /** Of the server's clock. */
  readonly sinceMs: number;
};

export const noCorrection: Correction = { aheadMs: 0, sinceMs: 0 };

/** The installation's second is so much longer or shorter than the server's until they agree. */
export const wearsOffBy = 0.1;

/** A larger difference is no jump but a clock that was never right, or a server that slept: it is followed at once. */
export const longestMs = 2 * 3_600_000;

/** The installation's time when the server's clock shows `serverMs`. */
export function timeAt({ aheadMs, sinceMs }: Correction, serverMs: number): number {
  const worn = Math.max(0, serverMs - sinceMs) * wearsOffBy;
  const left = Math.max(0, Math.abs(aheadMs) - worn);
  return serverMs + Math.sign(aheadMs) * left;
}

/** With this the installation's time is `wantedMs` when the server's clock shows `serverMs`; none where that is too far. */
export function correctionTo(wantedMs: number, serverMs: number): Correction {
  const aheadMs = wantedMs - serverMs;
  return { aheadMs: Math.abs(aheadMs) > longestMs ? 0 : aheadMs, sinceMs: serverMs };
}
