import { describe, expect, it } from 'vitest';
import { account } from '../../../src/domain/accounts/account.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import {
  accountCredited,
  accountDebited,
  accountOpened,
  accountPaid,
  accountRefunded,
  arrival,
  changeStatus,
  creditHeld,
  creditRefused,
  debit,
  deposit,
  holding,
  openAccount,
  refund,
  statusChanged,
} from '../../support/builders/accounts.ts';
import { accountId } from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(account);

describe('an internal account', () => {
  it('opens', () => given().when(openAccount()).then(accountOpened()));

  it.each([openAccount(), openAccount({ currency: 'EUR', status: 'FROZEN' })])('opens once', (again) =>
    given(accountOpened()).when(again).thenNothing(),
  );

  it('opens empty', () => {
    expect(stateOf(account, accountOpened())).toMatchObject({
      status: 'ACTIVE',
      balance: 0n,
      openedAt: testStart,
    });
  });

  it.each([debit(), deposit(), refund(), arrival()])(
    'refuses $type ($purpose) before it is opened',
    (command) => given().when(command).thenRejected('REFERENCE_NOT_FOUND'),
  );
});

describe('the status of an internal account', () => {
  it.each([
    ['PENDING', 'ACTIVE'],
    ['PENDING', 'CLOSED'],
    ['ACTIVE', 'CLOSED'],
    ['FROZEN', 'CLOSED'],
  ] as const)('goes from %s to %s', (status, next) =>
    given(accountOpened({ status }))
      .when(changeStatus(next))
      .then(statusChanged(next, { from: status })),
  );

  it.each([
    ['ACTIVE', 'ACTIVE'],
    ['CLOSED', 'CLOSED'],
    ['CLOSED', 'ACTIVE'],
    ['FROZEN', 'ACTIVE'],
  ] as const)('does not go from %s to %s', (status, next) =>
    given(accountOpened({ status })).when(changeStatus(next)).thenNothing(),
  );

  const closed = [...holding(100_00n), statusChanged('CLOSED')];

  it('keeps money from leaving once it is CLOSED', () =>
    given(...closed)
      .when(debit())
      .thenRejected('USER_NOT_READY'));

  it('keeps money from being paid in once it is CLOSED, however often that is tried', () => {
    given(...closed)
      .when(arrival())
      .then(creditRefused());
    given(...closed, creditRefused())
      .when(arrival())
      .thenNothing();
  });

  it('keeps no money from coming back once it is CLOSED', () =>
    given(...closed)
      .when(refund())
      .then(accountRefunded({ balanceAfter: 200_00n })));

  it('leaves a credit as it is that was booked before it was CLOSED', () =>
    given(...holding(100_00n), accountPaid({ balanceAfter: 200_00n }), statusChanged('CLOSED'))
      .when(arrival())
      .thenNothing());

  it('is refused before the account is open', () =>
    given().when(changeStatus('ACTIVE')).thenRejected('REFERENCE_NOT_FOUND'));
});

describe.each(['PENDING', 'CLOSED', 'FROZEN'] as const)('a %s account', (status) => {
  const history = [accountOpened({ status }), accountCredited({ entryId: 'first' })];

  it.each([debit(), deposit(), debit({ amount: usd(1_000_00n) })])('refuses a $type ($purpose)', (command) =>
    given(...history)
      .when(command)
      .thenRejected('USER_NOT_READY', { accountId, status }),
  );

  const comesIn = {
    PENDING: {
      returns: accountRefunded({ balanceAfter: 200_00n }),
      payment: accountPaid({ balanceAfter: 200_00n }),
    },
    CLOSED: { returns: accountRefunded({ balanceAfter: 200_00n }), payment: creditRefused() },
    FROZEN: {
      returns: creditHeld({ purpose: 'refund', from: 'in-flight', because: 'frozen' }),
      payment: creditHeld({ because: 'frozen' }),
    },
  }[status];

  it('takes or holds what comes back', () =>
    given(...history)
      .when(refund())
      .then(comesIn.returns));

  it('takes, holds or refuses a payment that is on its way', () =>
    given(...history)
      .when(arrival())
      .then(comesIn.payment));

  it.each([debit, deposit, refund, arrival])('answers a repeat as before (entry %#)', (entry) =>
    given(...history)
      .when(entry({ entryId: 'first' }))
      .thenNothing(),
  );
});

describe('the fold of an account', () => {
  it('follows balance and time of the last entry', () => {
    const state = stateOf(account, ...holding(150_00n), accountDebited({ at: msLater(5) }));
    expect(state).toMatchObject({ balance: 50_00n, openedAt: testStart, updatedAt: msLater(5) });
  });

  it.each([accountCredited(), accountDebited()])('has no $type before the opening', (event) => {
    expect(() => stateOf(account, event)).toThrow(InvariantViolation);
  });

  it('never goes below zero', () => {
    expect(() => stateOf(account, accountOpened(), accountDebited({ balanceAfter: -1n }))).toThrow(
      InvariantViolation,
    );
  });
});
