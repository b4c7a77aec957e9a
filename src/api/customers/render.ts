import { z } from 'zod';
import type { BeneficialOwnerRow, CustomerRow } from '../../../projections/tables/customers.ts';
import { businessInfoSchema } from '../../domain/customers/business-info.ts';
import { customerTypes, kycStatuses } from '../../domain/customers/events.ts';
import { addressSchema } from '../../domain/values/address.ts';
import { countryCode } from '../../domain/values/text.ts';
import { idField } from '../../kernel/ids.ts';
import { ownerSchema, renderOwner } from '../beneficial-owners/operations.ts';
import { currencyCode } from '../fields/amounts.ts';
import { present, timestamp } from '../fields/fields.ts';

export const name = z.string().min(1).max(255);
const contact = {
  email: z.email().max(255).optional(),
  phoneNumber: z
    .string()
    .regex(/^\+[1-9]\d{1,14}$/)
    .optional(),
  address: addressSchema.optional(),
};
const person = {
  fullName: name.optional(),
  birthDate: z.iso.date().optional(),
  nationality: countryCode.optional(),
  idType: z.string().min(1).max(64).optional(),
  countryOfIssuance: countryCode.optional(),
};
const identifier = z.string().min(1).max(255).optional();
const status = z.enum(kycStatuses);
const givenStatus = status.optional().meta({ description: 'Taken in the sandbox, ignored elsewhere.' });
/** What can be changed later, too. */
const changeable = {
  region: countryCode.optional(),
  currencies: z.array(currencyCode).min(1).max(100).optional(),
  umaAddress: z.string().min(1).max(320).optional(),
  ...contact,
};
const given = { platformCustomerId: name.optional(), ...changeable };

/** Completion 4, create body. */
export const createCustomerRequest = z
  .discriminatedUnion('customerType', [
    z
      .object({
        customerType: z.literal('INDIVIDUAL'),
        ...given,
        ...person,
        kycStatus: givenStatus,
        identifier,
      })
      .meta({ id: 'IndividualCreateRequest' }),
    z
      .object({
        customerType: z.literal('BUSINESS'),
        ...given,
        businessInfo: businessInfoSchema,
        kybStatus: givenStatus,
      })
      .meta({ id: 'BusinessCreateRequest' }),
  ])
  .meta({ id: 'CustomerCreateRequest' });
export type CreateCustomerRequest = z.output<typeof createCustomerRequest>;

/** Completion 4, PATCH body: what is left out stays as it is; address and businessInfo are merged field by field. */
export const updateCustomerRequest = z
  .object({
    customerType: z.enum(customerTypes).optional(),
    ...changeable,
    ...person,
    identifier,
    address: addressSchema.partial().optional(),
    businessInfo: businessInfoSchema.partial().optional(),
  })
  .meta({ id: 'CustomerUpdateRequest' });
export type UpdateCustomerRequest = z.output<typeof updateCustomerRequest>;

const common = {
  id: idField('Customer'),
  platformCustomerId: z.string(),
  umaAddress: z.string(),
  region: z.string(),
  currencies: z.array(z.string()),
  ...contact,
  isDeleted: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const customerSchema = z
  .discriminatedUnion('customerType', [
    z
      .object({ customerType: z.literal('INDIVIDUAL'), ...common, ...person, kycStatus: status })
      .meta({ id: 'IndividualCustomer' }),
    z
      .object({
        customerType: z.literal('BUSINESS'),
        ...common,
        businessInfo: businessInfoSchema,
        kybStatus: status,
        beneficialOwners: z.array(ownerSchema),
      })
      .meta({ id: 'BusinessCustomer' }),
  ])
  .meta({ id: 'Customer' });

/** `owners` are those of a business, oldest first. */
export function renderCustomer(
  row: CustomerRow,
  owners: readonly BeneficialOwnerRow[],
): z.input<typeof customerSchema> {
  const { businessInfo, ...details } = row.details;
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
  if (!businessInfo) {
    const customerType = 'INDIVIDUAL' as const;
    return present({ ...names, customerType, kycStatus: row.kyc_status, ...common });
  }
  const beneficialOwners = owners.filter((owner) => owner.customer_id === row.id).map(renderOwner);
  const about = { customerType: 'BUSINESS' as const, kybStatus: row.kyc_status, businessInfo };
  return present({ ...names, ...about, ...common, beneficialOwners });
}
