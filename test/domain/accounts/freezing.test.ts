import { describe, expect, it } from 'vitest';
import { account } from '../../../src/domain/accounts/account.ts';
import type { AccountEvent } from '../../../src/domain/accounts/events.ts';
import { countHeld, heldTogetherMax } from '../../../src/domain/accounts/held-credits.ts';
import type { AccountCommand as Command } from '../../../src/domain/accounts/state.ts';
import type { Instruction } from '../../../src/domain/aggregates.ts';
import { paymentReactionIn } from '../../../src/domain/reactions/payments.ts';
import { int64Max } from '../../../src/kernel/money.ts';
import {
  accountOpened,
  accountPaid,
  accountRefunded,
  arrival,
  changeStatus,
  creditHeld,
  creditRefused,
  debit,
  deposit,
  freeze,
  frozen,
  holding,
  statusChanged,
  unfreeze,
  unfrozen,
} from '../../support/builders/accounts.ts';
import { accountId, transactionId } from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { recorded } from '../../support/log/domain-events.ts';
import { testStart } from '../../support/time/clock.ts';

const given = specFor(account);
const opened = holding(100_00n);
const isFrozen = [...opened, frozen()];
const release = () => ({ type: 'ReleaseHeldCredits', at: testStart }) as const;
const heldPayment = creditHeld({ entryId: 'payment', because: 'frozen' });
const heldRefund = creditHeld({
  entryId: 'refund',
  purpose: 'refund',
  from: 'in-flight',
  because: 'frozen',
});

describe('freezing an account', () => {
  it('is recorded with its reason', () =>
    given(...opened)
      .when(freeze())
      .then(frozen()));

  it('is done once', () =>
    given(...isFrozen)
      .when(freeze())
      .thenNothing());

  it.each(['PENDING', 'CLOSED'] as const)('is refused of one that is %s', (status) => {
    given(accountOpened({ status })).when(freeze()).thenRejected('CONFLICT', { accountId, status });
    given(accountOpened({ status })).when(unfreeze()).thenRejected('CONFLICT', { accountId, status });
  });

  it('is refused before it is open', () => given().when(freeze()).thenRejected('REFERENCE_NOT_FOUND'));

  it.each([debit(), deposit()])('stops a $type ($purpose)', (command) =>
    given(...isFrozen)
      .when({ ...command, entryId: 'another' })
      .thenRejected('USER_NOT_READY', { accountId, status: 'FROZEN' }),
  );

  it('is not lifted by the approval of the owner', () =>
    given(...isFrozen)
      .when(changeStatus('ACTIVE'))
      .thenNothing());
});

describe('money on its way to a frozen account', () => {
  it('is held once', () =>
    given(...isFrozen, heldPayment)
      .when(arrival({ entryId: 'payment' }))
      .thenNothing());

  it('is credited in the order in which it came when the account is not frozen any more', () =>
    given(...isFrozen, heldPayment, heldRefund)
      .when(unfreeze())
      .then(
        unfrozen(),
        accountPaid({ entryId: 'payment', balanceAfter: 200_00n, held: 1 }),
        accountRefunded({ entryId: 'refund', balanceAfter: 300_00n, held: 2 }),
      ));

  it('is credited when the account is closed where it comes back, and refused where it is a payment', () =>
    given(...isFrozen, heldPayment, heldRefund)
      .when(changeStatus('CLOSED'))
      .then(
        statusChanged('CLOSED', { from: 'FROZEN' }),
        creditRefused({ entryId: 'payment', held: 1 }),
        accountRefunded({ entryId: 'refund', balanceAfter: 200_00n, held: 2 }),
      ));

  it('is not held any more once it was refused', () => {
    const closed = [statusChanged('CLOSED'), creditRefused({ entryId: 'payment', held: 1 })];
    const state = stateOf(account, ...isFrozen, heldPayment, heldRefund, ...closed);
    expect(state).toMatchObject({ balance: 100_00n, held: { oldest: [2], minor: 100_00n } });
  });

  it('is still held where there is no room for it', () => {
    const full = [...holding(int64Max), frozen(), heldPayment];
    given(...full)
      .when(unfreeze())
      .then(unfrozen());
    expect(stateOf(account, ...full, unfrozen())).toMatchObject({ held: { oldest: [1], minor: 100_00n } });
  });

  it.each([
    ['', { held: 1 }],
    [', as former versions wrote it', {}],
  ])('is not held by the account any more once it was credited%s', (_how, held) => {
    const history = [
      ...isFrozen,
      heldPayment,
      unfrozen(),
      accountPaid({ entryId: 'payment', balanceAfter: 200_00n, ...held }),
    ];
    const after = { held: { oldest: [], minor: 0n }, balance: 200_00n };
    expect(stateOf(account, ...history)).toMatchObject(after);
    given(...history)
      .when(arrival({ entryId: 'payment', amount: usd(100_00n) }))
      .thenNothing();
  });
});

describe('more than are credited together', () => {
  const lotsAfter = (first: Command, history: readonly AccountEvent[]) => {
    let events = history;
    const lots: (readonly AccountEvent[])[] = [];
    for (let next: Command | undefined = first; next; ) {
      const decided: readonly AccountEvent[] = account.decide(next, stateOf(account, ...events));
      events = [...events, ...decided];
      lots.push(decided.filter(({ type }) => type !== 'AccountStatusChanged'));
      const instructions: readonly Instruction[] = decided.flatMap((event) =>
        paymentReactionIn('sandbox')(recorded(event) as never),
      );
      next = instructions.find(({ to }) => to === 'account')?.command as Command | undefined;
    }
    return { events, lots: lots.map((lot) => [lot.length, lot.filter(({ data }) => 'more' in data).length]) };
  };
  const threeLots = [
    [heldTogetherMax, 1],
    [heldTogetherMax, 1],
    [50, 0],
  ];

  const many = 2 * heldTogetherMax + 50;
  const waiting = Array.from({ length: many }, (_, n) =>
    creditHeld({ entryId: `payment-${n + 1}`, amount: usd(1n), because: 'frozen' }),
  );
  const history: AccountEvent[] = [accountOpened(), frozen(), ...waiting];

  it('are credited one lot after the other, each of which says that others are left', () => {
    const { events, lots } = lotsAfter(unfreeze(), history);
    expect(lots).toEqual(threeLots);
    const expected = { balance: BigInt(many), held: { oldest: [], further: many + 1, minor: 0n } };
    expect(stateOf(account, ...events)).toMatchObject(expected);
    given(...events)
      .when(release())
      .thenNothing();
  });

  it('are refused one lot after the other by an account that is closed', () => {
    const { events, lots } = lotsAfter(changeStatus('CLOSED'), history);
    expect(lots).toEqual(threeLots);
    const expected = { balance: 0n, held: { oldest: [], further: many + 1, minor: 0n } };
    expect(stateOf(account, ...events)).toMatchObject(expected);
  });

  it('wait on in an account that was frozen again meanwhile', () =>
    given(...history)
      .when(release())
      .thenNothing());

  it('are followed where former versions credited them all at once', () => {
    const credited = waiting.map(({ data: { entryId } }, n) =>
      accountPaid({ entryId, amount: usd(1n), balanceAfter: BigInt(n + 1) }),
    );
    const half = stateOf(account, ...history, unfrozen(), ...credited.slice(0, 170).toReversed());
    expect(half).toMatchObject({ held: { minor: BigInt(many - 170), oldest: { length: 80 } } });
    const whole = stateOf(account, ...history, unfrozen(), ...credited);
    expect(whole).toMatchObject({ held: { minor: 0n, oldest: [], further: many + 1 } });
  });

  it('take a bounded part of the state', () => {
    const state = stateOf(account, ...history);
    if (state.status === 'none') throw new Error('not open');
    expect([state.held.oldest.length, countHeld(state)]).toEqual([heldTogetherMax, many]);
  });
});

describe('what the payment hears of it', () => {
  const told = (event: ReturnType<typeof creditHeld>) =>
    paymentReactionIn('sandbox')({ ...recorded(event) } as never);

  it('is that a review holds it up', () => {
    expect(told(heldPayment)).toMatchObject([
      { to: 'transaction', command: { type: 'DelaySettlement', pendingReason: 'COMPLIANCE_REVIEW' } },
    ]);
    expect(heldPayment.data.transactionId).toBe(transactionId);
  });

  it('is nothing of a refund, nor of what has no room', () => {
    expect(told(heldRefund)).toEqual([]);
    expect(told(creditHeld())).toEqual([]);
  });
});
