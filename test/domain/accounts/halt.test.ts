import { describe, expect, it } from 'vitest';
import { account } from '../../../src/domain/accounts/account.ts';
import {
  accountHalted,
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
  halt,
  haltLifted,
  holding,
  liftHalt,
  refund,
  statusChanged,
  unfreeze,
  unfrozen,
} from '../../support/builders/accounts.ts';
import { accountId } from '../../support/builders/identities.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';

const given = specFor(account);
const halted = [accountOpened(), accountHalted()];
const heldPayment = creditHeld({ because: 'halted' });
const refusal = { accountId, status: 'ACTIVE' };

describe('an account whose customer is being deleted', () => {
  it('is halted once', () => {
    given(accountOpened()).when(halt()).then(accountHalted());
    given(...halted)
      .when(halt())
      .thenNothing();
  });

  it('is shown as before', () => {
    const [before, after] = [stateOf(account, accountOpened()), stateOf(account, ...halted)];
    expect(after).toEqual({ ...before, halt: { deletion: 1, isLifted: false } });
  });

  it.each([debit(), deposit()])('refuses a $type ($purpose)', (command) =>
    given(...holding(100_00n), accountHalted())
      .when({ ...command, entryId: 'another' })
      .thenRejected('USER_NOT_READY', refusal),
  );

  it('leaves it open whether a deposit that is refused for good is refused', () =>
    given(...halted)
      .when({ ...deposit(), recordsRefusal: {} })
      .thenRejected('SERVICE_UNAVAILABLE'));

  it('holds what is paid to it', () =>
    given(...halted)
      .when(arrival())
      .then(heldPayment));

  it('takes what comes back, so that it is found', () =>
    given(...halted)
      .when(refund())
      .then(accountRefunded()));

  it('holds what comes back while it is frozen', () =>
    given(...halted, frozen())
      .when(refund())
      .then(creditHeld({ purpose: 'refund', from: 'in-flight', because: 'frozen' })));

  it('credits nothing that it holds when it is not frozen any more', () => {
    given(...halted, frozen(), creditHeld({ because: 'frozen' }))
      .when(unfreeze())
      .then(unfrozen());
    given(...halted, heldPayment)
      .when({ type: 'ReleaseHeldCredits', at: liftHalt().at })
      .thenNothing();
  });

  it('refuses what it holds once it is closed', () =>
    given(...halted, heldPayment)
      .when(changeStatus('CLOSED'))
      .then(statusChanged('CLOSED', { from: 'ACTIVE' }), creditRefused({ held: 1 })));
});

describe('an account whose customer is not deleted after all', () => {
  it('is credited with what it holds', () =>
    given(...halted, heldPayment)
      .when(liftHalt())
      .then(haltLifted(), accountPaid({ held: 1 })));

  it('holds on while it is frozen', () =>
    given(...halted, heldPayment, frozen())
      .when(liftHalt())
      .then(haltLifted()));

  it('goes on', () => {
    const history = [...holding(100_00n), accountHalted(), haltLifted()];
    expect(account.decide(debit(), stateOf(account, ...history))).toHaveLength(1);
    expect(account.decide(freeze(), stateOf(account, ...history))).toHaveLength(1);
  });

  it('is not halted by what comes late of that deletion', () => {
    given(accountOpened()).when(liftHalt()).then(haltLifted());
    given(accountOpened(), haltLifted()).when(halt()).thenNothing();
    given(...halted, haltLifted())
      .when(liftHalt())
      .thenNothing();
  });

  it('is halted by the next one, which the end of the last does not lift', () => {
    given(...halted, haltLifted())
      .when(halt(2))
      .then(accountHalted(2));
    given(...halted, haltLifted(), accountHalted(2))
      .when(liftHalt())
      .thenNothing();
  });
});

it('halts no account that is closed, and lifts nothing of one that was never opened', () => {
  for (const command of [halt(), liftHalt()])
    given(accountOpened({ status: 'CLOSED' }))
      .when(command)
      .thenNothing();
  given().when(liftHalt()).thenNothing();
  given().when(halt()).thenRejected('REFERENCE_NOT_FOUND');
});
