import { expect, it } from 'vitest';
import { accountEvents } from '../../../src/domain/accounts/events.ts';
import { encodeEvent } from '../../../src/infrastructure/event-store/encoding.ts';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { historyOf } from '../../../src/use-cases/audit/history.ts';
import { accountCredited } from '../../support/builders/accounts.ts';
import { platformId } from '../../support/builders/identities.ts';
import { metadata } from '../../support/log/long-streams.ts';
import { testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const stream = 'account-1';
const event: StoredEvent = {
  ...encodeEvent(accountEvents, accountCredited(), {
    ...metadata,
    platformId,
    at: testStart.toISOString(),
  }),
  id: uuidNumber(1),
  stream,
  revision: 0,
  position: 1n,
};

function streamOf(length: number) {
  const asked = { times: 0 };
  const read = async (_stream: string, from = 0, most = Number.POSITIVE_INFINITY) => {
    asked.times += 1;
    return Array.from({ length: Math.max(0, Math.min(most, length - from)) }, (_, n) => ({
      ...event,
      revision: from + n,
    }));
  };
  return { store: { read }, asked };
}
const notFound = () => new Rejected('REFERENCE_NOT_FOUND', 'none');

it('a page of a history says how many events there are, and reads few of them for it', async () => {
  for (const length of [...Array.from({ length: 80 }, (_, n) => n + 1), 1_000_000]) {
    for (const from of [0, 5, 50, length, 2 ** 31]) {
      const { store, asked } = streamOf(length);
      const page = await historyOf({ store }, { stream, platformId, from, limit: 3 }, notFound);
      expect([length, from, page.total]).toEqual([length, from, length]);
      expect(asked.times).toBeLessThan(50);
    }
  }
});
