import { z } from 'zod';
import type { BeneficialOwnerRow } from '../../../projections/tables/customers.ts';
import { personalInfoSchema } from '../../domain/verification/personal-info.ts';
import { idField } from '../../kernel/ids.ts';
import { onFile } from '../../kernel/on-file.ts';
import { kycStatus, ownerRole } from '../fields/enumerations.ts';
import { timestamp } from '../fields/fields.ts';

export const ownerSchema = z
  .object({
    id: idField('BeneficialOwner'),
    customerId: idField('Customer'),
    roles: z.array(ownerRole),
    ownershipPercentage: z.number(),
    personalInfo: onFile(personalInfoSchema),
    kycStatus: kycStatus,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'BeneficialOwner' });

export const renderOwner = (row: BeneficialOwnerRow): z.input<typeof ownerSchema> => ({
  id: row.id,
  customerId: row.customer_id,
  roles: row.roles,
  ownershipPercentage: row.ownership_percentage,
  personalInfo: row.personal_info,
  kycStatus: row.kyc_status,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
