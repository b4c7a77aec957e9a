import { describe, expect, it } from 'vitest';
import type { DocumentType } from '../../../src/domain/documents/events.ts';
import { type Finding, noScreening } from '../../../src/domain/ports/screening.ts';
import { verificationReaction } from '../../../src/domain/reactions/verification.ts';
import type { VerificationError, VerificationStatus } from '../../../src/domain/verification/events.ts';
import { missingFor } from '../../../src/domain/verification/requirements.ts';
import {
  type OwnerCheck,
  type VerificationCommand,
  verification,
} from '../../../src/domain/verification/verification.ts';
import { type DocumentId, idOf, uuidOf } from '../../../src/kernel/ids.ts';
import { activeCustomer, businessDetails, customerCreated } from '../../support/builders/customers.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { beneficialOwnerId, verificationAssessed } from '../../support/builders/verification.ts';
import { recorded } from '../../support/log/domain-events.ts';
import { msLater, testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const given = specFor(verification);
const missing: VerificationError = { resourceId: customerId, type: 'MISSING_FIELD', reason: 'x', field: 'x' };
const assess = (
  finding: Finding | undefined,
  errors: readonly VerificationError[] = [],
  documents: readonly DocumentId[] = [],
): VerificationCommand => ({
  type: 'AssessVerification',
  platformId,
  customerId,
  finding,
  errors,
  documents,
  at: testStart,
});

describe('the assessment of a customer', () => {
  it.each([
    ['PENDING', 'PENDING_MANUAL_REVIEW'],
    ['APPROVED', 'APPROVED'],
    ['REJECTED', 'REJECTED'],
  ] as const)('follows a finding, %s, with %s, whatever is missing', (finding, status) =>
    given()
      .when(assess(finding, [missing]))
      .then(verificationAssessed(status)),
  );

  const waiting = verificationAssessed('RESOLVE_ERRORS', [missing]);

  it('waits for what is missing', () =>
    given()
      .when(assess(undefined, [missing]))
      .then(waiting));

  it('is not repeated while the same is missing', () =>
    given(waiting)
      .when(assess(undefined, [missing]))
      .thenNothing());

  it('says so when something else is missing', () =>
    given(waiting)
      .when(assess(undefined, [missing, missing]))
      .then(verificationAssessed('RESOLVE_ERRORS', [missing, missing])));

  it('begins once nothing is missing', () =>
    given(waiting).when(assess(undefined)).then(verificationAssessed('IN_PROGRESS')));

  it('asks for nothing more once it has begun', () =>
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

describe('the documents of a verification', () => {
  const documents = [idOf('Document', uuidNumber(31))];

  it('are submitted with it when nothing is missing', () => {
    const [begun] = verification.decide(assess(undefined, [], documents), { status: 'none' });
    expect(begun?.data).toMatchObject({ verificationStatus: 'IN_PROGRESS', documents });
  });

  it('are not submitted while something is missing', () => {
    const [waiting] = verification.decide(assess(undefined, [missing], documents), { status: 'none' });
    expect(waiting?.data).not.toHaveProperty('documents');
  });

  it('are submitted with a finding, whatever is missing', () => {
    const [found] = verification.decide(assess('PENDING', [missing], documents), { status: 'none' });
    expect(found?.data).toMatchObject({ documents });
  });

  describe('that came after it had begun', () => {
    const [first] = documents;
    const second = idOf('Document', uuidNumber(32));
    const begunAs = (verificationStatus: VerificationStatus) => {
      const { type, data } = verificationAssessed(verificationStatus);
      return { type, data: { ...data, documents } };
    };

    it.each([
      ['PENDING', 'PENDING_MANUAL_REVIEW'],
      [undefined, 'IN_PROGRESS'],
    ] as const)('are submitted where an assessment comes to the same: %s', (finding, status) => {
      const { type, data } = verificationAssessed(status);
      given(begunAs(status))
        .when(assess(finding, [missing], [...documents, second]))
        .then({ type, data: { ...data, documents: [second] } });
    });

    it('are submitted once', () => {
      const { type, data } = verificationAssessed('PENDING_MANUAL_REVIEW');
      const again = { type, data: { ...data, documents: [second] } };
      given(begunAs('PENDING_MANUAL_REVIEW'), again)
        .when(assess('PENDING', [], [...documents, second]))
        .thenNothing();
    });

    it('change nothing of what the verification shows, and are no news', () => {
      const begun = verification.evolve(verification.initial, begunAs('IN_PROGRESS'));
      const { type, data } = verificationAssessed('IN_PROGRESS');
      const at = msLater(1_000);
      const later = verification.evolve(begun, { type, data: { ...data, documents: [second], at } });
      expect(begun).toMatchObject({ isNews: true, updatedAt: testStart });
      expect(later).toMatchObject({ isNews: false, updatedAt: testStart, documents: [first, second] });
      const approved = verification.evolve(later, {
        type,
        data: { ...data, verificationStatus: 'APPROVED', at },
      });
      expect(approved).toMatchObject({ isNews: true, updatedAt: at });
    });
  });

  it("are submitted before the customer's status changes", () => {
    const { type, data } = verificationAssessed('IN_PROGRESS');
    const told = verificationReaction(recorded({ type, data: { ...data, documents } }));
    expect(told.map(({ uuid, command }) => [uuid, command.type])).toEqual([
      [uuidNumber(31), 'SubmitDocument'],
      [uuidOf(customerId), 'ChangeCustomerStatus'],
    ]);
  });
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
    const told = verificationReaction(recorded(verificationAssessed(status)));
    expect(told.map(({ command }) => 'kycStatus' in command && command.kycStatus)).toEqual(expected);
  });

  it('follows nothing else', () => expect(verificationReaction(recorded(customerCreated()))).toEqual([]));
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

  it('is named at once for a business', () => {
    const customer = activeCustomer(businessDetails({ businessInfo: { legalName: 'A' } }));
    expect(fieldsOf(missingFor({ customer, owners: [], documents: [] }))).toEqual([
      'businessInfo.registrationNumber',
      'businessInfo.taxId',
      'businessInfo.country',
      'businessInfo.incorporatedOn',
      'address',
      'MISSING_BENEFICIAL_OWNER',
      'MISSING_LEGAL_PRESENCE_DOCUMENT',
      'MISSING_CONTROL_STRUCTURE_DOCUMENT',
      'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
      'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
    ]);
  });

  describe('of a business that has given all fields', () => {
    const customer = activeCustomer(businessDetails({ businessInfo: complete, address }));
    const owners = [{ id: 'owner-1' }];
    const held = (holder: string, ...types: readonly DocumentType[]) =>
      types.map((document_type) => ({ document_holder: holder, document_type }));
    const papers = held(customerId, 'ARTICLES_OF_INCORPORATION', 'TRUST_AGREEMENT', 'TAX_RETURN');

    it('is nothing with all documents', () => {
      const documents = [...papers, ...held('owner-1', 'NATIONAL_ID')];
      expect(missingFor({ customer, owners, documents })).toEqual([]);
    });

    it('is an identity document of an owner who has none', () => {
      expect(missingFor({ customer, owners, documents: papers })).toMatchObject([
        {
          resourceId: 'owner-1',
          type: 'MISSING_IDENTITY_DOCUMENT',
          acceptedDocumentTypes: ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'],
        },
      ]);
    });

    it('is an identity document of each owner, for whom that of another owner does not stand', () => {
      const documents = [...papers, ...held('owner-1', 'PASSPORT')];
      expect(missingFor({ customer, owners: [...owners, { id: 'owner-2' }], documents })).toMatchObject([
        { resourceId: 'owner-2', type: 'MISSING_IDENTITY_DOCUMENT' },
      ]);
    });
  });

  it('is named at once for an individual', () => {
    const missingFields = fieldsOf(missingFor({ customer: activeCustomer(), owners: [], documents: [] }));
    expect(missingFields).toEqual([
      'fullName',
      'birthDate',
      'nationality',
      'address',
      'MISSING_IDENTITY_DOCUMENT',
    ]);
  });

  it('is nothing for an individual who has given it all', () => {
    const individual = { fullName: 'Ada', birthDate: '1990-12-10', nationality: 'GB', address };
    const documents = [{ document_holder: customerId, document_type: 'PASSPORT' as const }];
    expect(missingFor({ customer: activeCustomer(individual), owners: [], documents })).toEqual([]);
  });
});

describe('a decision', () => {
  const decide = (
    verdict: 'APPROVED' | 'REJECTED',
    note?: string,
    owners: readonly OwnerCheck[] = [],
  ): VerificationCommand => ({
    type: 'DecideVerification',
    verdict,
    owners,
    note,
    by: 'operator',
    at: testStart,
  });
  const open = verificationAssessed('PENDING_MANUAL_REVIEW');
  const ended = verificationAssessed;

  const decided = (verdict: 'APPROVED' | 'REJECTED', note: { readonly note?: string } = {}) => {
    const { type, data } = ended(verdict);
    return { type, data: { ...data, decidedBy: 'operator', ...note } };
  };

  it.each(['APPROVED', 'REJECTED'] as const)('ends a verification as %s, and says who made it', (verdict) =>
    given(open)
      .when(decide(verdict, 'seen in person'))
      .then(decided(verdict, { note: 'seen in person' })),
  );

  it('ends one that lacks something too', () =>
    given(verificationAssessed('RESOLVE_ERRORS', [missing]))
      .when(decide('APPROVED'))
      .then(decided('APPROVED')));

  it('is the same when it is made again', () =>
    given(ended('APPROVED')).when(decide('APPROVED')).thenNothing());

  it('keeps the checks of the owners who waited when it was made first', () => {
    const checks = [{ beneficialOwnerId, check: 2 }];
    const { type, data } = decided('APPROVED');
    const event = { type, data: { ...data, owners: checks } };
    given(open)
      .when(decide('APPROVED', undefined, checks))
      .then(event);
    const later = [{ beneficialOwnerId, check: 3 }];
    given(open, event)
      .when(decide('APPROVED', undefined, later))
      .thenNothing();
    expect(stateOf(verification, open, event)).toMatchObject({ owners: checks });
  });

  it.each([
    ['APPROVED', 'REJECTED'],
    ['REJECTED', 'APPROVED'],
  ] as const)('of %s is not changed to %s', (first, second) =>
    given(ended(first)).when(decide(second)).thenRejected('CONFLICT'),
  );

  it('needs a verification', () => given().when(decide('APPROVED')).thenRejected('REFERENCE_NOT_FOUND'));
});

describe('a check where nobody checks', () => {
  it('stays open', async () => {
    expect([await noScreening.customer(), await noScreening.owner()]).toEqual([undefined, 'PENDING']);
  });
});
