/** How long requests have waited for the read models, from the service's own histogram. */
import { freshMetrics } from './fresh-metrics.ts';

/** Requests that have waited at most so many ms, for each bound of the histogram. */
export type Waits = ReadonlyMap<number, number>;

const bucket = /^daybook_projection_wait_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm;

export async function waits(origin: string): Promise<Waits> {
  const text = await freshMetrics(origin);
  return new Map([...text.matchAll(bucket)].map(([, bound, count]) => [toMs(bound ?? ''), Number(count)]));
}

const toMs = (bound: string): number => (bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound) * 1_000);

/** The least bound in ms within which 99 of 100 of the requests in between have waited. */
export function within99(before: Waits, after: Waits): number {
  const since = [...after].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)] as const);
  const all = Math.max(...since.map(([, count]) => count));
  return since.find(([, count]) => count >= all * 0.99)?.[0] ?? Number.NaN;
}
