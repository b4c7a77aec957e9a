import { z } from 'zod';
import type { VerificationRow } from '../../../projections/tables/customers.ts';
import { verificationError } from '../../domain/verification/events.ts';
import { idField } from '../../kernel/ids.ts';
import { verificationStatus } from '../fields/enumerations.ts';
import { timestamp } from '../fields/fields.ts';

export const verificationSchema = z
  .object({
    id: idField('Verification'),
    customerId: idField('Customer'),
    verificationStatus: verificationStatus,
    errors: z.array(verificationError.meta({ id: 'VerificationError' })),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Verification' });

export const renderVerification = (row: VerificationRow): z.input<typeof verificationSchema> => ({
  id: row.id,
  customerId: row.customer_id,
  verificationStatus: row.status,
  errors: row.errors,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
