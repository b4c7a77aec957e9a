/** What came between two moments of a log in which a platform was put back to a snapshot. */
import { expect, it } from 'vitest';
import { counting } from '../../../src/app/cli/commands/audit/between.ts';
import { move } from '../../../src/domain/books/postings.ts';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { accountId, platformId } from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';

const at = (n: number): string => new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString();

const event = (
  n: number,
  stream: string,
  type: string,
  overrides: Partial<StoredEvent> = {},
): StoredEvent => ({
  id: `event-${n}`,
  position: BigInt(n),
  stream,
  revision: 0,
  type,
  data: type === 'AccountCredited' ? { postings: move('rail', accountId, usd(100n)) } : {},
  metadata: { platformId, actor: 'policy', causationId: 'cause', correlationId: 'cause', at: at(n) },
  ...overrides,
});
const copyOf = (of: StoredEvent, n: number): StoredEvent => ({
  ...of,
  id: `copy-${n}`,
  position: BigInt(n),
  stream: `${of.stream}.1`,
  metadata: { ...of.metadata, copyOf: of.id },
});
const between = (...events: readonly StoredEvent[]) => {
  const { add, result } = counting();
  for (const one of events) add(one);
  return result();
};

const opened = event(1, 'account-1', 'AccountOpened');
const credited = event(2, 'account-1', 'AccountCredited', { revision: 1 });
const restored = event(3, 'restorations-1', 'PlatformStateRestored', { revision: 4 });
const creditedAfter = event(6, 'account-1.1', 'AccountCredited', { revision: 2 });

it('counts copies apart: nothing has moved, and no stream begun, a second time', () => {
  expect(between(restored, copyOf(opened, 4), copyOf(credited, 5), creditedAfter)).toEqual({
    events: 4,
    copies: 2,
    firstAt: at(3),
    lastAt: at(6),
    types: { AccountCredited: 1, PlatformStateRestored: 1 },
    streams: 2,
    newStreams: 0,
    moved: [{ currency: 'USD', minor: 100n, entries: 1 }],
  });
});

it('is of the time at which a platform was put back where only copies came after it', () => {
  expect(between(restored, copyOf(opened, 4), copyOf(credited, 5))).toMatchObject({
    copies: 2,
    firstAt: at(3),
    lastAt: at(3),
    moved: [],
  });
  expect(between(copyOf(opened, 4))).toMatchObject({ events: 1, copies: 1, firstAt: undefined, moved: [] });
});
