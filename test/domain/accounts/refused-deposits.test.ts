import { describe, it } from 'vitest';
import { account } from '../../../src/domain/accounts/account.ts';
import { customerDeleted } from '../../../src/domain/customers/customer.ts';
import {
  accountCredited,
  accountOpened,
  deposit,
  depositRefused,
  freeze,
  frozen,
  unfrozen,
} from '../../support/builders/accounts.ts';
import { specFor } from '../../support/builders/spec.ts';

const given = specFor(account);
const final = (recordsRefusal: object = {}) => ({ ...deposit(), recordsRefusal });

describe('a deposit whose refusal is final', () => {
  it('is credited where the account takes it', () =>
    given(accountOpened()).when(final()).then(accountCredited()));

  it('is refused by an event where the account is frozen', () =>
    given(accountOpened(), frozen()).when(final()).then(depositRefused()));

  it('is refused by an event for another reason, whatever the account allows', () => {
    const because = customerDeleted();
    given(accountOpened())
      .when(final({ because }))
      .then(depositRefused({ code: because.code, message: because.message }));
  });

  it('stays refused when the account takes money again', () =>
    given(accountOpened(), frozen(), depositRefused(), unfrozen()).when(final()).thenNothing());

  it('stays credited when the account takes none any more', () =>
    given(accountOpened(), accountCredited(), frozen()).when(final()).thenNothing());

  it('is credited where an operator has said whose it is, once', () => {
    const refused = [accountOpened(), frozen(), depositRefused(), unfrozen()];
    given(...refused)
      .when(deposit())
      .then(accountCredited());
    given(...refused, accountCredited())
      .when(deposit())
      .thenNothing();
    given(...refused, accountCredited())
      .when(final())
      .thenNothing();
  });

  it('is refused to the operator as well while the account is frozen', () =>
    given(accountOpened(), frozen(), depositRefused()).when(deposit()).thenRejected('USER_NOT_READY'));

  describe('by a decision of an operator', () => {
    const decided = final({ decision: 'd1' });
    const { entryId } = depositRefused().data;
    const refusedAsDecided = depositRefused({ entryId: `${entryId}:d1` });

    it('is credited once the account takes it', () =>
      given(accountOpened(), frozen(), depositRefused(), unfrozen()).when(decided).then(accountCredited()));

    it('is refused by an event of its own', () =>
      given(accountOpened(), frozen(), depositRefused()).when(decided).then(refusedAsDecided));

    it('stays refused when the account takes money again, and another decision is open', () => {
      const refused = [accountOpened(), frozen(), depositRefused(), refusedAsDecided, unfrozen()];
      given(...refused)
        .when(decided)
        .thenNothing();
      given(...refused)
        .when(final({ decision: 'd2' }))
        .then(accountCredited());
    });

    it('refuses what was told before with it, so that neither is credited', () => {
      given(accountOpened(), frozen()).when(decided).then(depositRefused(), refusedAsDecided);
      given(accountOpened(), frozen(), depositRefused(), refusedAsDecided, unfrozen())
        .when(final())
        .thenNothing();
    });

    it('is credited once', () =>
      given(accountOpened(), depositRefused(), accountCredited()).when(decided).thenNothing());
  });

  it('does not keep the account from being frozen again', () =>
    given(accountOpened(), frozen(), depositRefused(), unfrozen()).when(freeze()).then(frozen()));
});
