import { describe, expect, it } from 'vitest';
import {
  type BookedEvent,
  describeTrialBalance,
  trialBalance,
} from '../../../src/app/cli/commands/audit/sums.ts';
import { move } from '../../../src/domain/books/postings.ts';
import { accountId, payeePlatformId, platformId } from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';

const event = (n: number, postings?: unknown, platform: string = platformId): BookedEvent => ({
  id: `event-${n}`,
  stream: `account-${n}`,
  type: 'Booked',
  position: BigInt(n),
  data: postings === undefined ? {} : { postings },
  metadata: { platformId: platform },
});
const added = (...events: readonly BookedEvent[]) => {
  const balance = trialBalance();
  for (const one of events) balance.add(one);
  return balance.result();
};
const nothing = { internal: 0n, rail: 0n, 'in-flight': 0n, fees: 0n, fx: 0n };

describe('the trial balance of a log', () => {
  it('is zero without events', () => {
    expect(added()).toEqual({
      events: 0,
      entries: 0,
      lines: [],
      unbalanced: [],
      unbalancedCount: 0,
      isZero: true,
    });
  });

  it('adds up each platform and currency, beyond what a number can hold', () => {
    const much = 10n ** 30n;
    const result = added(
      event(1, move('rail', accountId, usd(much))),
      event(2, move(accountId, 'in-flight', usd(3n))),
      event(3),
      event(4, move('rail', accountId, { minor: 7n, currency: 'EUR' }), payeePlatformId),
    );
    const [first, second] = [platformId, payeePlatformId].toSorted();
    expect([first, second]).toEqual(result.lines.map((line) => line.platformId));
    expect(result).toMatchObject({ events: 4, entries: 3, isZero: true });
    expect(result.lines).toContainEqual({
      ...nothing,
      platformId,
      currency: 'USD',
      internal: much - 3n,
      rail: -much,
      'in-flight': 3n,
      balance: 0n,
    });
    expect(describeTrialBalance(result)).toMatch(/3 entries in 4 events\. The trial balance is zero\.$/);
  });

  it('tells an entry that does not balance, also where another makes up for it', () => {
    const off = (n: number, minor: bigint) => event(n, [{ account: 'fees', currency: 'USD', minor }]);
    const result = added(off(1, 5n), off(2, -5n));
    expect(result).toMatchObject({ isZero: false, unbalancedCount: 2 });
    expect(result.unbalanced[0]).toMatchObject({ id: 'event-1', position: 1n, off: { USD: 5n } });
    expect(describeTrialBalance(result)).toContain('Booked event-1 of account-1 at 1 is off by 5 USD');
    expect(describeTrialBalance(result)).toContain('is NOT zero. Entries that do not balance: 2.');
  });

  it('tells the first ones of many', () => {
    const many = Array.from({ length: 150 }, (_, n) =>
      event(n, [{ account: 'fx', currency: 'USD', minor: 1n }]),
    );
    const result = added(...many);
    expect([result.unbalancedCount, result.unbalanced.length]).toEqual([150, 100]);
    expect(result.lines[0]?.balance).toBe(150n);
  });
});
