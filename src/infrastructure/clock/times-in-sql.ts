/** The time of each platform in statements that are about many. */
import type { Moved } from './platform-times.ts';

/** The time of a platform: its own where the parameters have one, otherwise that of `now`. */
export const timeOf = (platform: string, ids: string, times: string, now: string): string => `
  coalesce((
    select own.at from unnest(${ids}::text[], ${times}::timestamptz[]) as own (platform_id, at)
    where own.platform_id = ${platform}), ${now}::timestamptz)`;

/** The parameters for that. */
export const timesIn = (moved: readonly Moved[]): readonly [string[], Date[]] => [
  moved.map(({ platformId }) => platformId),
  moved.map(({ at }) => at),
];
