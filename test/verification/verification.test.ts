import { describe, expect, it } from 'vitest';
import type { VerificationError } from '../../src/verification/events.ts';
import { verificationPolicy } from '../../src/verification/policy.ts';
import { missingFor } from '../../src/verification/requirements.ts';
import { type Finding, noScreening } from '../../src/verification/screening.ts';
import { type VerificationCommand, verification } from '../../src/verification/verification.ts';
import { activeCustomer, businessDetails, customerCreated } from '../support/builders/customers.ts';
import { customerId, platformId } from '../support/builders/identities.ts';
import { verificationAssessed } from '../support/builders/verification.ts';
import { testStart } from '../support/clock.ts';
import { recorded } from '../support/domain-events.ts';
import { specFor } from '../support/spec.ts';

const given = specFor(verification);
const missing: VerificationError = { resourceId: customerId, type: 'MISSING_FIELD', reason: 'x', field: 'x' };
const assess = (
  finding: Finding | undefined,
  errors: readonly VerificationError[] = [],
): VerificationCommand => ({
  type: 'AssessVerification',
  platformId,
  customerId,
  finding,
  errors,
  at: testStart,
});

describe('the assessment of a customer', () => {
  it.each([
    ['PENDING', 'PENDING_MANUAL_REVIEW'],
    ['APPROVED', 'APPROVED'],
    ['REJECTED', 'REJECTED'],
  ] as const)('that finds %s is %s, whatever is missing', (finding, status) =>
    given()
      .when(assess(finding, [missing]))
      .then(verificationAssessed(status)),
  );

  it('waits for what is missing', () => {
    const waiting = verificationAssessed('RESOLVE_ERRORS', [missing]);
    given()
      .when(assess(undefined, [missing]))
      .then(waiting);
    given(waiting)
      .when(assess(undefined, [missing]))
      .thenNothing();
    given(waiting)
      .when(assess(undefined, [missing, missing]))
      .then(verificationAssessed('RESOLVE_ERRORS', [missing, missing]));
    given(waiting).when(assess(undefined)).then(verificationAssessed('IN_PROGRESS'));
  });

  it('goes on with what it was given once it has begun', () =>
    given(verificationAssessed('IN_PROGRESS'))
      .when(assess(undefined, [missing]))
      .thenNothing());

  it('can come to another end while it is under review', () => {
    const review = verificationAssessed('PENDING_MANUAL_REVIEW');
    given(review).when(assess('PENDING')).thenNothing();
    given(review).when(assess('APPROVED')).then(verificationAssessed('APPROVED'));
  });

  it.each(['APPROVED', 'REJECTED'] as const)('is over when it is %s', (status) =>
    given(verificationAssessed(status)).when(assess('PENDING')).thenRejected('INVALID_INPUT'),
  );
});

describe('the status of the customer', () => {
  it.each([
    ['RESOLVE_ERRORS', []],
    ['READY_FOR_VERIFICATION', []],
    ['IN_PROGRESS', ['PENDING']],
    ['PENDING_MANUAL_REVIEW', ['PENDING']],
    ['APPROVED', ['APPROVED']],
    ['REJECTED', ['REJECTED']],
  ] as const)('follows %s: %j', (status, expected) => {
    const told = verificationPolicy(recorded(verificationAssessed(status)));
    expect(told.map(({ command }) => 'kycStatus' in command && command.kycStatus)).toEqual(expected);
  });

  it('follows nothing else', () => expect(verificationPolicy(recorded(customerCreated()))).toEqual([]));
});

describe('what a verification needs', () => {
  const fieldsOf = (errors: readonly VerificationError[]) => errors.map(({ type, field }) => field ?? type);
  const address = { line1: '1 Main Street', postalCode: 'EC1', country: 'GB' };
  const complete = {
    legalName: 'A',
    registrationNumber: '1',
    taxId: '2',
    country: 'GB',
    incorporatedOn: '1990-12-10',
  };

  it('of a business is named at once', () => {
    const customer = activeCustomer(businessDetails({ businessInfo: { legalName: 'A' } }));
    expect(fieldsOf(missingFor({ customer, owners: [] }))).toEqual([
      'businessInfo.registrationNumber',
      'businessInfo.taxId',
      'businessInfo.country',
      'businessInfo.incorporatedOn',
      'address',
      'MISSING_BENEFICIAL_OWNER',
    ]);
  });

  it('of a business can be there', () => {
    const customer = activeCustomer(businessDetails({ businessInfo: complete, address }));
    expect(missingFor({ customer, owners: [{}] })).toEqual([]);
  });

  it('of an individual is who it is', () => {
    const individual = { fullName: 'Ada', birthDate: '1990-12-10', nationality: 'GB', address };
    expect(missingFor({ customer: activeCustomer(individual), owners: [] })).toEqual([]);
    const nobody = fieldsOf(missingFor({ customer: activeCustomer(), owners: [] }));
    expect(nobody).toEqual(['fullName', 'birthDate', 'nationality', 'address']);
  });

  it('leaves every check open where nobody checks', () => {
    expect([noScreening.customer(activeCustomer()), noScreening.owner('Lovelace')]).toEqual([
      undefined,
      'PENDING',
    ]);
  });
});
