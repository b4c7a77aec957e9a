/** What the books held at any moment is what the postings add up to, in whatever order they were recorded and projected. */
import { describe, expect, it } from 'vitest';
import { ledger } from '../../projections/models/ledger.ts';
import { accountBalanceAt, ledgerBalancesAt } from '../../projections/models/ledger-at.ts';
import { accountStatement } from '../../projections/models/ledger-statements.ts';
import { project } from '../../projections/projector/batch.ts';
import type { FollowedEvent } from '../../src/domain/aggregates.ts';
import { type Clock, clocks, momentsOf } from '../../src/domain/books/clocks.ts';
import { type Posting, postingsOf } from '../../src/domain/books/postings.ts';
import { idOf } from '../../src/kernel/ids.ts';
import { accountCredited, accountDebited } from '../support/builders/accounts.ts';
import { platformId } from '../support/builders/identities.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';
import { uuidNumber } from '../support/values/ids.ts';
import { seededRandom } from '../support/values/random.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');
const accounts = [1, 2, 3].map((n) => idOf('InternalAccount', uuidNumber(n)));

/** Somewhere from 0 to 1. */
const chance = (seed: number) => {
  const { between } = seededRandom(seed);
  return () => between(0, 999_999) / 1_000_000;
};

/** Events of three accounts: recorded somewhat out of order, and some long after they happened. */
function history(random: () => number): readonly FollowedEvent[] {
  const balances = new Map<string, bigint>();
  return Array.from({ length: 120 }, (_, n) => {
    const recorded = start + n * 150 + Math.floor(random() * 600);
    const lag = random() < 0.1 ? random() * 20_000 : random() * 400;
    const accountId = accounts[Math.floor(random() * accounts.length)] ?? accounts[0];
    const held = balances.get(`${accountId}`) ?? 0n;
    const minor = BigInt(1 + Math.floor(random() * 500));
    const isDebit = held >= minor && random() < 0.4;
    const balanceAfter = isDebit ? held - minor : held + minor;
    balances.set(`${accountId}`, balanceAfter);
    const more = {
      accountId: accountId as (typeof accounts)[0],
      amount: { minor, currency: 'USD' },
      balanceAfter,
      at: new Date(recorded - lag),
    } as never;
    const event = isDebit ? accountDebited(more) : accountCredited(more);
    return {
      ...event,
      of: 'account',
      id: uuidNumber(1_000 + n),
      stream: `account-${n}`,
      revision: n,
      position: BigInt(n * 3 + 1),
      metadata: {
        platformId,
        at: new Date(recorded).toISOString(),
        actor: 'a',
        correlationId: 'c',
        causationId: 'c',
      },
      state: undefined,
    } as unknown as FollowedEvent;
  });
}

const sumBy = (
  events: readonly FollowedEvent[],
  clock: Clock,
  at: Date,
  isOf: (posting: Posting) => boolean,
) =>
  events
    .filter((event) => momentsOf(event)[clock] <= at)
    .flatMap((event) => postingsOf(event).filter(isOf))
    .reduce((sum, { minor }) => sum + minor, 0n);

async function expectRight(books: Awaited<ReturnType<typeof emptyBooks>>, events: readonly FollowedEvent[]) {
  for (const clock of clocks)
    for (let at = start - 25_000; at < start + 21_000; at += 1_733) {
      const instant = { clock, at: new Date(at) };
      for (const accountId of accounts) {
        const { minor } = await accountBalanceAt(books.db, { platformId, accountId }, instant);
        const sum = sumBy(events, clock, instant.at, ({ account }) => account === accountId);
        expect([clock, at, accountId, minor]).toEqual([clock, at, accountId, sum]);
      }
      const { rows } = await ledgerBalancesAt(books.db, platformId, instant);
      for (const { account, minor } of rows) {
        const isOf = (posting: Posting) =>
          account === 'internal'
            ? posting.account.startsWith('InternalAccount:')
            : posting.account === account;
        expect([clock, at, account, minor]).toEqual([
          clock,
          at,
          account,
          sumBy(events, clock, instant.at, isOf),
        ]);
      }
    }
}

describe.each([1, 2, 3])('the books of history %i', (seed) => {
  it('hold at each moment what is posted by then, however they were cut into batches', async () => {
    const random = chance(seed);
    const events = history(random);
    const books = await emptyBooks();
    for (let from = 0; from < events.length; ) {
      const size = 1 + Math.floor(random() * 20);
      await books.db.transaction().execute((one) => project([ledger], events.slice(from, from + size), one));
      from += size;
    }
    await expectRight(books, events);
    for (const clock of clocks) {
      const period = { clock, from: new Date(start), to: new Date(start + 9_000) };
      for (const accountId of accounts) {
        const wanted = { platformId, accountId, after: 0n, limit: 1_000 };
        const { opening, closing, entries, total } = await accountStatement(books.db, wanted, period);
        const expected = events.filter(
          (event) =>
            momentsOf(event)[clock] >= period.from &&
            momentsOf(event)[clock] <= period.to &&
            postingsOf(event).some(({ account }) => account === accountId),
        );
        expect(entries.map(({ position }) => position)).toEqual(expected.map(({ position }) => position));
        expect(total).toBe(expected.length);
        const heldBy = (at: Date) => sumBy(events, clock, at, ({ account }) => account === accountId);
        expect(opening).toBe(heldBy(new Date(period.from.getTime() - 1)));
        expect(closing).toBe(heldBy(period.to));
      }
    }
  });

  it('hold the same where some events could be projected only after others', async () => {
    const random = chance(seed);
    // Their own moments are in order: what could not be read for a while lags by its projection alone.
    const events = history(random).map((event, n) => {
      const at = new Date(start + n * 150);
      return { ...event, data: { ...event.data, at }, metadata: { ...event.metadata, at: at.toISOString() } };
    }) as unknown as readonly FollowedEvent[];
    const isLate = new Set(events.filter((_event, n) => n % 7 === 3));
    const books = await emptyBooks();
    for (const event of events.filter((one) => !isLate.has(one)).slice(0, 70))
      await books.db.transaction().execute((one) => project([ledger], [event], one));
    await books.db.transaction().execute((one) => project([ledger], [...isLate].slice(0, 5), one));
    for (const event of events.filter((one) => !isLate.has(one)).slice(70))
      await books.db.transaction().execute((one) => project([ledger], [event], one));
    await books.db.transaction().execute((one) => project([ledger], [...isLate].slice(5), one));
    await expectRight(books, events);
  });
});
