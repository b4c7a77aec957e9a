/** What who follows a platform's events is told. */
import type { StoredEvent } from '../../../../src/infrastructure/event-store/event-store.ts';
import { isReceiverOf } from '../acts/endpoints.ts';
import { type PlatformNumber, platformNumbers } from '../client.ts';
import type { Rule } from './rules.ts';

/** By an address at which it wants to be told. */
const platformOf = (stored: readonly StoredEvent[], by: PlatformNumber): string | undefined =>
  stored.find(
    ({ data }) => typeof data.webhookEndpoint === 'string' && isReceiverOf(by, data.webhookEndpoint),
  )?.metadata.platformId;

export const ofTheAudience: Readonly<Record<string, Rule>> = {
  *'who follows the events of a platform is told each once, and in order'({ stored, begins, heard }) {
    for (const by of platformNumbers) {
      const platformId = platformOf(stored, by);
      const own = stored.filter(
        ({ position, type, metadata }) =>
          position > begins &&
          metadata.platformId === platformId &&
          metadata.copyOf === undefined &&
          !type.endsWith('ClaimEnded'),
      );
      const told = heard[by] ?? [];
      for (const [n, { position, type, id }] of own.entries()) {
        const one = told[n];
        if (one?.position === position && one.type === type && one.id === id) continue;
        yield `${one?.type} at ${one?.position} for ${type} at ${position}`;
      }
      for (const { type, position } of told.slice(own.length)) yield `${type} at ${position} once more`;
    }
  },
};
