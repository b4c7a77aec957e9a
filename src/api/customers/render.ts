import { z } from 'zod';
import type { BeneficialOwnerRow, CustomerRow } from '../../../projections/tables/customers.ts';
import { businessInfoSchema } from '../../domain/customers/business-info.ts';
import { type CustomerId, idField } from '../../kernel/ids.ts';
import { onFile } from '../../kernel/on-file.ts';
import { erasedWord } from '../../kernel/personal.ts';
import type { Erasure } from '../../workers/erasure/erasure.ts';
import { ownerSchema, renderOwner } from '../beneficial-owners/render.ts';
import { kycStatus } from '../fields/enumerations.ts';
import { present, timestamp } from '../fields/fields.ts';
import { contact, person } from './fields.ts';

/** Customers from before were free in their words. */
const idType = z.string().optional();
const common = {
  id: idField('Customer'),
  platformCustomerId: z.string(),
  umaAddress: z.string(),
  region: z.string(),
  currencies: z.array(z.string()),
  ...onFile(z.object(contact)).shape,
  isDeleted: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const customerSchema = z
  .discriminatedUnion('customerType', [
    z
      .object({
        customerType: z.literal('INDIVIDUAL'),
        ...common,
        ...onFile(z.object(person)).shape,
        idType,
        kycStatus,
      })
      .meta({ id: 'IndividualCustomer' }),
    z
      .object({
        customerType: z.literal('BUSINESS'),
        ...common,
        businessInfo: onFile(businessInfoSchema),
        kybStatus: kycStatus,
        beneficialOwners: z.array(ownerSchema),
      })
      .meta({ id: 'BusinessCustomer' }),
  ])
  .meta({
    id: 'Customer',
    description: `Of an erased customer texts are left out, or say \`${erasedWord}\`.`,
  });

/** A business has a name, which nobody knows any more. */
const erasedBusiness = { legalName: erasedWord };

/** `owners` are those of a business, oldest first. */
export function renderCustomer(
  row: CustomerRow,
  owners: readonly BeneficialOwnerRow[],
): z.input<typeof customerSchema> {
  const { businessInfo = erasedBusiness, ...details } = row.details;
  const names = { id: row.id, platformCustomerId: row.platform_customer_id };
  const common = {
    umaAddress: row.uma_address,
    region: row.region,
    currencies: row.currencies,
    ...details,
    isDeleted: row.is_deleted,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
  if (row.customer_type === 'INDIVIDUAL') {
    const customerType = 'INDIVIDUAL' as const;
    return present({ ...names, customerType, kycStatus: row.kyc_status, ...common });
  }
  const beneficialOwners = owners.filter((owner) => owner.customer_id === row.id).map(renderOwner);
  const about = { customerType: 'BUSINESS' as const, kybStatus: row.kyc_status, businessInfo };
  return present({ ...names, ...about, ...common, beneficialOwners });
}

export const erasureSchema = z
  .object({
    customerId: idField('Customer'),
    status: z.enum(['UNDER_WAY', 'ERASED']),
    erasedAt: timestamp.optional().meta({ description: 'When everything was done.' }),
    unsealedEvents: z.int().min(0).optional().meta({
      description:
        'Events of the customer from before personal data were sealed. The log goes on having what they say; nothing else shows it.',
    }),
  })
  .meta({ id: 'CustomerErasure' });

export const renderErasure = (customerId: CustomerId, { doneAt, plainEvents }: Partial<Erasure>) => ({
  customerId,
  status: doneAt ? ('ERASED' as const) : ('UNDER_WAY' as const),
  ...(doneAt && { erasedAt: doneAt.toISOString() }),
  ...(plainEvents !== undefined && { unsealedEvents: plainEvents }),
});
