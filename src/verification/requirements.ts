/** What a verification needs to know before a check can begin (completion 13.3). Pure. */
import type { KnownCustomer } from '../customers/customer.ts';
import type { VerificationError } from './events.ts';

const businessFields = ['legalName', 'registrationNumber', 'taxId', 'country', 'incorporatedOn'] as const;
const individualFields = ['fullName', 'birthDate', 'nationality', 'address'] as const;

export type Known = {
  readonly customer: KnownCustomer;
  readonly owners: readonly object[];
};

/** Everything that is missing, at once. */
export function missingFor({ customer, owners }: Known): readonly VerificationError[] {
  if (customer.customerType === 'INDIVIDUAL')
    return individualFields.filter((field) => !customer[field]).map((field) => missingField(customer, field));
  const { businessInfo, customerId: resourceId } = customer;
  const fields = businessFields.filter((field) => !businessInfo?.[field]);
  return [
    ...fields.map((field) => missingField(customer, `businessInfo.${field}`)),
    ...(customer.address ? [] : [missingField(customer, 'address')]),
    ...(owners.length > 0
      ? []
      : [{ resourceId, type: 'MISSING_BENEFICIAL_OWNER', reason: noOwner } as const]),
  ];
}

const noOwner = 'The business has no beneficial owner. Create one with POST /beneficial-owners.';

const missingField = ({ customerId: resourceId }: KnownCustomer, field: string): VerificationError => ({
  resourceId,
  type: 'MISSING_FIELD',
  reason: `${field} is needed for the verification.`,
  field,
});
