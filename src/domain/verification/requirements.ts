/** What a verification needs to know before a check can begin. docs/how-to/verify-a-business.md lists it for callers. */
import type { KnownCustomer } from '../customers/customer.ts';
import type { DocumentType } from '../documents/events.ts';
import type { VerificationError } from './events.ts';

const businessFields = ['legalName', 'registrationNumber', 'taxId', 'country', 'incorporatedOn'] as const;
const individualFields = ['fullName', 'birthDate', 'nationality', 'address'] as const;

type Requirement = { readonly type: VerificationError['type']; readonly accepted: readonly DocumentType[] };

const ofBusiness: readonly Requirement[] = [
  {
    type: 'MISSING_LEGAL_PRESENCE_DOCUMENT',
    accepted: [
      'CERTIFICATE_OF_INCORPORATION',
      'ARTICLES_OF_INCORPORATION',
      'ARTICLES_OF_ASSOCIATION',
      'STATE_REGISTRY_EXCERPT',
    ],
  },
  {
    type: 'MISSING_CONTROL_STRUCTURE_DOCUMENT',
    accepted: [
      'DIRECTOR_REGISTRY',
      'TRUST_AGREEMENT',
      'STATE_COMPANY_REGISTRY',
      'PARTNERSHIP_CONTROL_AGREEMENT',
    ],
  },
  {
    type: 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
    accepted: ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
  },
  {
    type: 'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
    accepted: ['UTILITY_BILL', 'RENT_OR_LEASE_AGREEMENT', 'ELECTRICITY_BILL', 'BANK_STATEMENT', 'TAX_RETURN'],
  },
];

const ofPerson: readonly Requirement[] = [
  { type: 'MISSING_IDENTITY_DOCUMENT', accepted: ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'] },
];

export type Known = {
  readonly customer: KnownCustomer;
  readonly owners: readonly { readonly id: string }[];
  readonly documents: readonly { readonly document_holder: string; readonly document_type: DocumentType }[];
};

/** Everything that is missing, at once. */
export function missingFor({ customer, owners, documents }: Known): readonly VerificationError[] {
  const { businessInfo, customerId } = customer;
  const lacking = (holder: string, requirements: readonly Requirement[]) =>
    requirements
      .filter(
        ({ accepted }) =>
          !documents.some((one) => one.document_holder === holder && accepted.includes(one.document_type)),
      )
      .map((requirement) => missingDocument(holder, requirement));
  if (customer.customerType === 'INDIVIDUAL') {
    const fields = individualFields.filter((field) => !customer[field]);
    return [...fields.map((field) => missingField(customerId, field)), ...lacking(customerId, ofPerson)];
  }
  const fields = businessFields.filter((field) => !businessInfo?.[field]);
  return [
    ...fields.map((field) => missingField(customerId, `businessInfo.${field}`)),
    ...(customer.address ? [] : [missingField(customerId, 'address')]),
    ...(owners.length > 0 ? [] : [missingOwner(customerId)]),
    ...lacking(customerId, ofBusiness),
    ...owners.flatMap(({ id }) => lacking(id, ofPerson)),
  ];
}

const missingField = (resourceId: string, field: string): VerificationError => ({
  resourceId,
  type: 'MISSING_FIELD',
  reason: `${field} is needed for the verification.`,
  field,
});

const missingOwner = (resourceId: string): VerificationError => ({
  resourceId,
  type: 'MISSING_BENEFICIAL_OWNER',
  reason: 'The business has no beneficial owner. Create one with POST /beneficial-owners.',
});

const missingDocument = (resourceId: string, { type, accepted }: Requirement): VerificationError => ({
  resourceId,
  type,
  reason: `One of these documents is needed: ${accepted.join(', ')}.`,
  acceptedDocumentTypes: [...accepted],
});
