import { describe, expect, it } from 'vitest';
import { beneficialOwner, type OwnerChanges } from '../../../src/domain/verification/owner.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import {
  ownerCreated,
  ownerDetails,
  ownerUpdated,
  personalInfo,
} from '../../support/builders/verification.ts';
import { testStart } from '../../support/clock.ts';
import { specFor, stateOf } from '../../support/spec.ts';

const given = specFor(beneficialOwner);
const update = (changes: OwnerChanges) =>
  ({ type: 'UpdateBeneficialOwner', changes, at: testStart }) as const;

describe('a beneficial owner', () => {
  it('is created once', () => {
    const command = { type: 'CreateBeneficialOwner', details: ownerDetails() } as const;
    given().when(command).then(ownerCreated());
    given(ownerCreated()).when(command).thenNothing();
  });

  it.each<[OwnerChanges, Parameters<typeof ownerUpdated>[0]]>([
    [{ roles: ['DIRECTOR'] }, { roles: ['DIRECTOR'] }],
    [{ ownershipPercentage: 0 }, { ownershipPercentage: 0 }],
    [{ personalInfo: { firstName: 'A' } }, { personalInfo: { ...personalInfo, firstName: 'A' } }],
    [
      { personalInfo: { lastName: 'King002' }, kycStatus: 'REJECTED' },
      { personalInfo: { ...personalInfo, lastName: 'King002' }, kycStatus: 'REJECTED' },
    ],
  ])('is changed by %j', (changes, expected) =>
    given(ownerCreated()).when(update(changes)).then(ownerUpdated(expected)),
  );

  it.each<OwnerChanges>([
    {},
    {
      roles: ['UBO'],
      ownershipPercentage: 60,
      personalInfo: { lastName: 'Lovelace' },
      kycStatus: 'APPROVED',
    },
    { roles: undefined, personalInfo: { firstName: undefined } },
  ])('is not changed by %j', (changes) => given(ownerCreated()).when(update(changes)).thenNothing());

  it('has what its changes say from then on', () => {
    const state = stateOf(beneficialOwner, ownerCreated(), ownerUpdated({ ownershipPercentage: 0 }));
    expect(state).toMatchObject({ ownershipPercentage: 0, roles: ['UBO'] });
  });

  it('cannot be changed before there is one', () => {
    given().when(update({})).thenRejected('REFERENCE_NOT_FOUND');
    expect(() => stateOf(beneficialOwner, ownerUpdated())).toThrow(InvariantViolation);
  });
});
