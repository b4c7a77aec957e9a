import { describe, it } from 'vitest';
import { account } from '../../../src/domain/accounts/account.ts';
import {
  accountCredited,
  accountDebited,
  accountOpened,
  debit,
  debitRefused,
  holding,
} from '../../support/builders/accounts.ts';
import { agentAction, otherActionId } from '../../support/builders/agents.ts';
import { specFor } from '../../support/builders/spec.ts';

const given = specFor(account);

describe("a debit for an agent's action", () => {
  const asked = debit({ agentAction });

  it('is booked with the action', () =>
    given(...holding(150_00n))
      .when(asked)
      .then(accountDebited({ agentAction })));

  it('is refused on a short balance, on the record', () =>
    given(...holding(99_99n))
      .when(asked)
      .then(debitRefused({ agentAction })));

  it('stays refused when money comes in', () => {
    const later = accountCredited({ entryId: 'later', balanceAfter: 200_00n });
    const refused = [...holding(99_99n), debitRefused({ agentAction }), later] as const;
    given(...refused)
      .when(asked)
      .thenNothing();
    given(...refused)
      .when(debit({ requestedBy: 'request-2' }))
      .then(accountDebited({ requestedBy: 'request-2', balanceAfter: 100_00n }));
  });

  it('is refused where another request has taken the money', () =>
    given(...holding(300_00n), accountDebited({ requestedBy: 'request-2', balanceAfter: 200_00n }))
      .when(asked)
      .then(
        debitRefused({
          agentAction,
          code: 'CONFLICT',
          message: 'The payment was executed by another request.',
        }),
      ));

  it('is booked once', () =>
    given(...holding(300_00n), accountDebited({ agentAction, balanceAfter: 200_00n }))
      .when(asked)
      .thenNothing());

  it('is refused for each action by itself', () => {
    const other = { ...agentAction, actionId: otherActionId };
    given(...holding(99_99n), debitRefused({ agentAction }))
      .when(debit({ agentAction: other }))
      .then(debitRefused({ agentAction: other }));
  });

  it('is refused by an account that is not active', () =>
    given(accountOpened({ status: 'FROZEN' }))
      .when(asked)
      .then(
        debitRefused({
          agentAction,
          code: 'USER_NOT_READY',
          message: 'The internal account is FROZEN; only an ACTIVE account sends or receives.',
        }),
      ));
});
