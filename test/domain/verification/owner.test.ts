import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/domain/ports/screening.ts';
import {
  beneficialOwner,
  type OwnerChanges,
  type PersonCheck,
} from '../../../src/domain/verification/owner.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import {
  ownerCreated,
  ownerDetails,
  ownerUpdated,
  personalInfo,
} from '../../support/builders/verification.ts';
import { testStart } from '../../support/time/clock.ts';

const given = specFor(beneficialOwner);
const update = (changes: OwnerChanges, check?: PersonCheck) =>
  ({ type: 'UpdateBeneficialOwner', changes, check, at: testStart }) as const;
const decide = (verdict: Verdict, of: { readonly check?: number; readonly note?: string } = {}) =>
  ({ type: 'DecideBeneficialOwner', verdict, ...of, at: testStart }) as const;
const king = { ...personalInfo, lastName: 'King002' };

describe('a beneficial owner', () => {
  it('is created once', () => {
    const command = { type: 'CreateBeneficialOwner', details: ownerDetails() } as const;
    given().when(command).then(ownerCreated());
    given(ownerCreated()).when(command).thenNothing();
  });

  it.each<[OwnerChanges, Parameters<typeof ownerUpdated>[0]]>([
    [{ roles: ['DIRECTOR'] }, { roles: ['DIRECTOR'] }],
    [{ ownershipPercentage: 0 }, { ownershipPercentage: 0 }],
    [{ personalInfo: { email: 'a@b.example' } }, { personalInfo: { ...personalInfo, email: 'a@b.example' } }],
  ])('is changed by %j', (changes, expected) =>
    given(ownerCreated()).when(update(changes)).then(ownerUpdated(expected)),
  );

  it.each<OwnerChanges>([
    {},
    {
      roles: ['UBO'],
      ownershipPercentage: 60,
      personalInfo: { lastName: 'Lovelace' },
    },
    { roles: undefined, personalInfo: { firstName: undefined } },
  ])('is not changed by %j', (changes) => given(ownerCreated()).when(update(changes)).thenNothing());

  it('is who was checked, with what was found', () => {
    const changes = { personalInfo: { lastName: 'King002' } };
    const updated = ownerUpdated({ personalInfo: king, kycStatus: 'REJECTED' });
    given(ownerCreated())
      .when(update(changes, { of: king, finding: 'REJECTED' }))
      .then(updated);
    // Whoever stays who it is may be checked again.
    given(ownerCreated())
      .when(update({ personalInfo: { lastName: 'Lovelace' } }, { of: personalInfo, finding: 'PENDING' }))
      .then(ownerUpdated({ kycStatus: 'PENDING' }));
  });

  it.each<[string, OwnerChanges, PersonCheck | undefined]>([
    ['was not checked', { personalInfo: { lastName: 'King002' } }, undefined],
    [
      'is somebody else by a change since the check',
      { personalInfo: { firstName: 'A' } },
      { of: { ...personalInfo, firstName: 'A' }, finding: 'APPROVED' },
    ],
    [
      'was checked before a change',
      { personalInfo: { lastName: 'Lovelace' } },
      { of: { ...personalInfo, firstName: 'A' }, finding: 'APPROVED' },
    ],
  ])('does not become who %s', (_, changes, check) =>
    given(ownerCreated(), ownerUpdated({ personalInfo: { ...king, lastName: 'Eve' } }))
      .when(update(changes, check))
      .thenRejected('CONFLICT'),
  );

  it('is decided on where it waits for that', () => {
    const waits = ownerCreated({ kycStatus: 'PENDING' });
    given(waits)
      .when(decide('REJECTED'))
      .then(ownerUpdated({ kycStatus: 'REJECTED' }));
    given(waits, ownerUpdated({ kycStatus: 'REJECTED' }))
      .when(decide('APPROVED', { check: 1 }))
      .thenNothing();
    given().when(decide('APPROVED')).thenRejected('REFERENCE_NOT_FOUND');
  });

  it('is decided on with the verification for the check that it was in, and for no later one', () => {
    const waits = ownerCreated({ kycStatus: 'PENDING' });
    const approved = ownerUpdated({ kycStatus: 'APPROVED' });
    const another = ownerUpdated({ personalInfo: king, kycStatus: 'PENDING' });
    given(waits)
      .when(decide('APPROVED', { check: 1 }))
      .then(approved);
    for (const history of [
      [waits, approved],
      [waits, approved, another],
      [waits, ownerUpdated({ personalInfo: king })],
    ])
      given(...history)
        .when(decide('APPROVED', { check: 1 }))
        .thenNothing();
    // What is neither another person nor another result is no other check.
    given(waits, ownerUpdated({ roles: ['DIRECTOR'] }))
      .when(decide('APPROVED', { check: 1 }))
      .then(approved);
  });

  it('is decided on alone, once, with the reason', () => {
    const waits = ownerCreated({ kycStatus: 'PENDING' });
    const note = 'seen in person';
    const approved = ownerUpdated({ kycStatus: 'APPROVED', note });
    given(waits).when(decide('APPROVED', { note })).then(approved);
    given(waits, approved).when(decide('APPROVED', { note })).thenNothing();
    given(waits, approved).when(decide('REJECTED')).thenRejected('CONFLICT');
  });

  it('has what its changes say from then on', () => {
    const state = stateOf(beneficialOwner, ownerCreated(), ownerUpdated({ ownershipPercentage: 0 }));
    expect(state).toMatchObject({ ownershipPercentage: 0, roles: ['UBO'] });
  });

  it('cannot be changed before there is one', () => {
    given().when(update({})).thenRejected('REFERENCE_NOT_FOUND');
    expect(() => stateOf(beneficialOwner, ownerUpdated())).toThrow(InvariantViolation);
  });
});
