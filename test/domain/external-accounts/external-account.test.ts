import { describe, expect, it } from 'vitest';
import { externalAccount, hasEnded } from '../../../src/domain/external-accounts/external-account.ts';
import { type LaterStatus, laterStatuses } from '../../../src/domain/external-accounts/status.ts';
import { externalAccountReaction } from '../../../src/domain/reactions/external-accounts.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import { customerCreated } from '../../support/builders/customers.ts';
import { externalAccountId, externalReservation } from '../../support/builders/identities.ts';
import {
  externalAccountClaimEnded,
  externalAccountCreated,
  externalAccountDeleted,
  externalAccountDetails,
  externalStatusChanged,
} from '../../support/builders/registered-accounts.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { recorded } from '../../support/log/domain-events.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(externalAccount);
const create = { type: 'CreateExternalAccount', details: externalAccountDetails() } as const;
const remove = { type: 'DeleteExternalAccount', at: testStart } as const;
const notFound = { resource: 'ExternalAccount' };

describe('an external account', () => {
  it('is registered', () => given().when(create).then(externalAccountCreated()));

  it('is registered once', () => {
    const details = externalAccountDetails({ currency: 'USD' });
    given(externalAccountCreated()).when(create).thenNothing();
    given(externalAccountCreated())
      .when({ ...create, details })
      .thenNothing();
  });

  it('is never registered once its number was given to another', () => {
    const end = { type: 'EndClaim', externalAccountId, at: testStart } as const;
    given().when(end).then(externalAccountClaimEnded());
    given(externalAccountClaimEnded()).when(end).thenNothing();
    given(externalAccountClaimEnded()).when(create).thenRejected('CONFLICT');
    given(externalAccountCreated()).when(end).thenNothing();
    expect(hasEnded(stateOf(externalAccount))).toBe(false);
    expect(hasEnded(stateOf(externalAccount, externalAccountClaimEnded()))).toBe(true);
    expect(hasEnded(stateOf(externalAccount, externalAccountCreated()))).toBe(false);
    expect(hasEnded(stateOf(externalAccount, externalAccountCreated(), externalAccountDeleted()))).toBe(true);
  });

  it('is deleted', () => given(externalAccountCreated()).when(remove).then(externalAccountDeleted()));

  it('is deleted once', () =>
    given(externalAccountCreated(), externalAccountDeleted())
      .when(remove)
      .thenRejected('REFERENCE_NOT_FOUND', notFound));

  it('cannot be deleted before it is registered', () =>
    given().when(remove).thenRejected('REFERENCE_NOT_FOUND', notFound));

  it('does not come back', () =>
    given(externalAccountCreated(), externalAccountDeleted()).when(create).thenNothing());

  it('keeps its details when it is deleted', () => {
    const state = stateOf(
      externalAccount,
      externalAccountCreated(),
      externalAccountDeleted({ at: msLater(3) }),
    );
    expect(state).toEqual({
      kind: 'registered',
      details: externalAccountDetails(),
      isDeleted: true,
      updatedAt: msLater(3),
    });
  });

  it('cannot have been deleted before it was there', () => {
    expect(() => stateOf(externalAccount, externalAccountDeleted())).toThrow(InvariantViolation);
  });
});

describe('the external account policy', () => {
  const holder = externalAccountId;

  it.each([
    [externalAccountCreated({ at: msLater(1) }), 'ConfirmReservation'],
    [externalAccountDeleted({ at: msLater(1) }), 'ReleaseName'],
  ])('keeps the account number for its owner while the account is there (row %#)', (event, type) => {
    expect(externalAccountReaction(recorded(event))).toStrictEqual([
      { to: 'reservation', uuid: externalReservation, command: { type, holder, at: msLater(1) } },
    ]);
  });

  it('makes nothing of other events', () => {
    expect(externalAccountReaction(recorded(customerCreated()))).toEqual([]);
  });
});

describe('the status of an external account', () => {
  const change = (status: LaterStatus) =>
    ({ type: 'ChangeExternalAccountStatus', status, reason: 'looked at', at: testStart }) as const;

  it.each([
    ['PENDING', 'ACTIVE'],
    ['PENDING', 'UNDER_REVIEW'],
    ['PENDING', 'INACTIVE'],
    ['UNDER_REVIEW', 'ACTIVE'],
    ['UNDER_REVIEW', 'INACTIVE'],
    ['ACTIVE', 'UNDER_REVIEW'],
    ['ACTIVE', 'INACTIVE'],
    ['INACTIVE', 'ACTIVE'],
    ['INACTIVE', 'UNDER_REVIEW'],
  ] as const)('goes from %s to %s', (status, next) => {
    const history = [externalAccountCreated({ status }), externalStatusChanged(next)] as const;
    given(history[0]).when(change(next)).then(history[1]);
    expect(stateOf(externalAccount, ...history)).toMatchObject({ details: { status: next } });
  });

  it.each(laterStatuses)('stays %s where it is so already', (status) =>
    given(externalAccountCreated({ status })).when(change(status)).thenNothing(),
  );

  it('is of no account that is deleted, or not there', () => {
    given().when(change('ACTIVE')).thenRejected('REFERENCE_NOT_FOUND', notFound);
    given(externalAccountCreated(), externalAccountDeleted())
      .when(change('INACTIVE'))
      .thenRejected('REFERENCE_NOT_FOUND', notFound);
  });
});
