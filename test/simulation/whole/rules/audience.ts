/** What who follows a platform's events is told. */
import type { StoredEvent } from '../../../../src/infrastructure/event-store/event-store.ts';
import { isReceiverOf } from '../acts/endpoints.ts';
import { type PlatformNumber, platformNumbers } from '../client.ts';
import type { Timelines } from '../evidence/timelines.ts';
import type { Rule } from './rules.ts';

/** By an address at which it wants to be told. */
const platformOf = (stored: readonly StoredEvent[], by: PlatformNumber): string | undefined =>
  stored.find(
    ({ data }) => typeof data.webhookEndpoint === 'string' && isReceiverOf(by, data.webhookEndpoint),
  )?.metadata.platformId;

/** What a platform had before it went back is no news any more once that is known: up to there it may not have heard all. */
const isPassedOver = (
  { waysBack }: Timelines,
  platformId: string | undefined,
  { from, next }: { readonly from: bigint; readonly next: bigint },
): boolean =>
  waysBack.some((way) => way.platformId === platformId && from < way.position && way.position <= next);

export const ofTheAudience: Readonly<Record<string, Rule>> = {
  *'who follows the events of a platform is told each once, and in order'(known) {
    const { stored, begins, heard, timelines } = known;
    for (const by of platformNumbers) {
      const { events: told, until } = heard[by] ?? { events: [], until: begins };
      const platformId = platformOf(stored, by);
      const own = stored.filter(
        ({ position, type, metadata }) =>
          position > begins &&
          position <= until &&
          metadata.platformId === platformId &&
          metadata.copyOf === undefined &&
          !type.endsWith('ClaimEnded'),
      );
      let n = 0;
      for (const { id, type, position } of own) {
        const next = told[n];
        if (next?.id === id && next.position === position && next.type === type) n += 1;
        else if (!isPassedOver(timelines, platformId, { from: position, next: next?.position ?? until }))
          yield `${next?.type} at ${next?.position} for ${type} at ${position}`;
      }
      for (const { type, position } of told.slice(n)) yield `${type} at ${position} once more`;
    }
  },
};
