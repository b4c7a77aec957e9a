import { describe, expect, it } from 'vitest';
import { account } from '../../../src/domain/accounts/account.ts';
import { paymentReaction } from '../../../src/domain/reactions/payments.ts';
import { int64Max } from '../../../src/kernel/money.ts';
import {
  accountOpened,
  accountPaid,
  accountRefunded,
  arrival,
  changeStatus,
  creditHeld,
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
import { recorded } from '../../support/domain-events.ts';
import { specFor, stateOf } from '../../support/spec.ts';

const given = specFor(account);
const opened = holding(100_00n);
const isFrozen = [...opened, frozen()];
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
        accountPaid({ entryId: 'payment', balanceAfter: 200_00n }),
        accountRefunded({ entryId: 'refund', balanceAfter: 300_00n }),
      ));

  it('is credited when the account is closed, too', () =>
    given(...isFrozen, heldPayment)
      .when(changeStatus('CLOSED'))
      .then(
        statusChanged('CLOSED', { from: 'FROZEN' }),
        accountPaid({ entryId: 'payment', balanceAfter: 200_00n }),
      ));

  it('is still held where there is no room for it', () => {
    const full = [...holding(int64Max), frozen(), heldPayment];
    given(...full)
      .when(unfreeze())
      .then(unfrozen());
    expect(stateOf(account, ...full, unfrozen())).toMatchObject({ held: [{ entryId: 'payment' }] });
  });

  it('is not held by the account any more once it was credited', () => {
    const history = [
      ...isFrozen,
      heldPayment,
      unfrozen(),
      accountPaid({ entryId: 'payment', balanceAfter: 200_00n }),
    ];
    expect(stateOf(account, ...history)).toMatchObject({ held: [], balance: 200_00n });
    given(...history)
      .when(arrival({ entryId: 'payment', amount: usd(100_00n) }))
      .thenNothing();
  });
});

describe('what the payment hears of it', () => {
  const told = (event: ReturnType<typeof creditHeld>) => paymentReaction({ ...recorded(event) } as never);

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
