import type { KnownCustomer } from '../../../src/domain/customers/customer.ts';
import type { ScreenedCustomer, ScreenedOwner } from '../../../src/domain/ports/screening.ts';
import type { OwnerEvent, VerificationEvent } from '../../../src/domain/verification/events.ts';
import { derivedUuid, idOf } from '../../../src/kernel/ids.ts';
import { testStart } from '../time/clock.ts';
import { uuidNumber } from '../values/ids.ts';
import type { DataOf } from './events.ts';
import { customerId, platformId } from './identities.ts';

export const beneficialOwnerId = idOf('BeneficialOwner', uuidNumber(21));
export const verificationId = idOf('Verification', derivedUuid('verification', customerId));

export const personalInfo = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  birthDate: '1990-12-10',
  nationality: 'GB',
  address: { line1: '1 Main Street', postalCode: 'EC1', country: 'GB' },
  idType: 'SSN',
  identifier: '078-05-1120',
} as const;

type Details = DataOf<OwnerEvent, 'BeneficialOwnerCreated'>;

export const ownerDetails = (overrides: Partial<Details> = {}): Details => ({
  platformId,
  beneficialOwnerId,
  customerId,
  roles: ['UBO'],
  ownershipPercentage: 60,
  personalInfo,
  kycStatus: 'APPROVED',
  at: testStart,
  ...overrides,
});

export const ownerCreated = (overrides: Partial<Details> = {}) =>
  ({ type: 'BeneficialOwnerCreated', data: ownerDetails(overrides) }) as const;

export const ownerUpdated = (changes: Partial<DataOf<OwnerEvent, 'BeneficialOwnerUpdated'>> = {}) =>
  ({ type: 'BeneficialOwnerUpdated', data: { beneficialOwnerId, at: testStart, ...changes } }) as const;

type Assessed = DataOf<VerificationEvent, 'VerificationAssessed'>;

export const verificationAssessed = (
  verificationStatus: Assessed['verificationStatus'],
  errors: Assessed['errors'] = [],
) => {
  const about = { platformId, verificationId, customerId };
  return {
    type: 'VerificationAssessed',
    data: { ...about, verificationStatus, errors, at: testStart },
  } as const;
};

/** What a screening is asked about; nothing is missing unless it says so. */
export const screenedCustomer = (
  customer: KnownCustomer,
  overrides: Partial<ScreenedCustomer> = {},
): ScreenedCustomer => ({
  verificationId,
  customer,
  owners: [],
  documents: [],
  isComplete: true,
  ...overrides,
});

export const screenedOwner = (lastName: string): ScreenedOwner => ({
  platformId,
  customerId,
  beneficialOwnerId,
  personalInfo: { ...personalInfo, lastName },
});
