import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { account } from '../../../src/domain/accounts/account.ts';
import type { AccountEvent } from '../../../src/domain/accounts/events.ts';
import { heldCredits } from '../../../src/domain/accounts/held-credits.ts';
import { int64Max } from '../../../src/kernel/money.ts';
import {
  accountDebited,
  accountPaid,
  accountRefunded,
  arrival,
  creditHeld,
  debit,
  deposit,
  holding,
  refund,
  statusChanged,
} from '../../support/builders/accounts.ts';
import { usd } from '../../support/builders/money.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { msLater } from '../../support/time/clock.ts';
import { holds } from '../../support/values/property.ts';

const given = specFor(account);
const full = holding(int64Max);
const amount = usd(5n);
const later = msLater(1_000);

describe('money that is on its way to an account without room', () => {
  it('is held: a payment where it comes from, a refund in flight', () => {
    given(...full)
      .when(arrival({ amount }))
      .then(creditHeld({ amount }));
    given(...full)
      .when({ ...arrival({ amount }), from: 'in-flight' })
      .then(creditHeld({ amount, from: 'in-flight' }));
    given(...full)
      .when(refund({ amount }))
      .then(creditHeld({ amount, purpose: 'refund', from: 'in-flight' }));
  });

  it('is booked where it fits to the last unit', () => {
    const balanceAfter = int64Max;
    given(...holding(int64Max - 5n))
      .when(arrival({ amount }))
      .then(accountPaid({ amount, balanceAfter }));
    given(...holding(int64Max - 5n))
      .when(refund({ amount }))
      .then(accountRefunded({ amount, balanceAfter }));
  });

  it('is held once, however often it is sent', () =>
    given(...full, creditHeld({ amount }))
      .when(arrival({ amount }))
      .thenNothing());

  it('is held by an account that is closed, too', () =>
    given(...full, statusChanged('CLOSED'))
      .when(refund({ amount }))
      .then(creditHeld({ amount, purpose: 'refund', from: 'in-flight' })));
});

describe('held money', () => {
  const taking = (minor: bigint) => debit({ entryId: 'entry-9', amount: usd(minor), at: later });
  const taken = (minor: bigint) =>
    accountDebited({ entryId: 'entry-9', amount: usd(minor), balanceAfter: int64Max - minor, at: later });

  it('is credited by the debit that makes room for it', () =>
    given(...full, creditHeld({ amount }))
      .when(taking(7n))
      .then(taken(7n), accountPaid({ amount, balanceAfter: int64Max - 2n, at: later, held: 1 })));

  it('waits on while the room is too small', () =>
    given(...full, creditHeld({ amount }))
      .when(taking(4n))
      .then(taken(4n)));

  it('is credited from the oldest, as far as there is room', () => {
    const first = creditHeld({ entryId: 'a', amount: usd(3n) });
    const second = creditHeld({ entryId: 'b', amount: usd(9n) });
    const third = creditHeld({ entryId: 'c', amount: usd(2n), purpose: 'refund', from: 'in-flight' });
    given(...full, first, second, third)
      .when(taking(6n))
      .then(
        taken(6n),
        accountPaid({ entryId: 'a', amount: usd(3n), balanceAfter: int64Max - 3n, at: later, held: 1 }),
        accountRefunded({ entryId: 'c', amount: usd(2n), balanceAfter: int64Max - 1n, at: later, held: 3 }),
      );
  });

  it('is credited once', () => {
    const booked = [
      ...full,
      creditHeld({ amount }),
      taken(7n),
      accountPaid({ amount, balanceAfter: int64Max - 2n, at: later }),
    ];
    given(...booked)
      .when(arrival({ amount }))
      .thenNothing();
    given(...booked)
      .when(debit({ entryId: 'entry-10', amount }))
      .then(accountDebited({ entryId: 'entry-10', amount, balanceAfter: int64Max - 7n }));
  });

  it('leaves a deposit the room that there is', () =>
    given(...full, creditHeld({ amount }))
      .when(deposit({ entryId: 'entry-8', amount: usd(1n) }))
      .thenRejected('AMOUNT_OUT_OF_RANGE'));
});

describe('whatever comes and goes', () => {
  const large = fc.bigInt({ min: 1n, max: int64Max });
  const step = fc.record({ make: fc.constantFrom(debit, arrival, refund), minor: large });

  it('the balance stays in range, and what arrived is on the account or held', () =>
    holds(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let events: AccountEvent[] = [...holding(int64Max / 2n)];
        let expected = int64Max / 2n;
        for (const [n, { make, minor }] of steps.entries()) {
          const before = stateOf(account, ...events);
          const isCovered = before.status !== 'none' && before.balance >= minor;
          if (make === debit && !isCovered) continue;
          const command = make({ entryId: `step-${n}`, amount: usd(minor) });
          events = [...events, ...account.decide(command, before)];
          expected += make === debit ? -minor : minor;
        }
        const after = stateOf(account, ...events);
        if (after.status === 'none') throw new Error('no account');
        expect(heldCredits(after).reduce((sum, credit) => sum + credit.amount.minor, 0n)).toBe(
          after.held.minor,
        );
        expect(after.balance + after.held.minor).toBe(expected);
        expect(after.balance >= 0n && after.balance <= int64Max).toBe(true);
      }),
    ));
});
