import { z } from 'zod';
import type { DocumentRow } from '../../../projections/tables/customers.ts';
import { idField } from '../../kernel/ids.ts';
import { documentSide, documentType } from '../fields/enumerations.ts';
import { present, timestamp } from '../fields/fields.ts';

export const documentSchema = z
  .object({
    id: idField('Document'),
    documentHolder: z.string().meta({ description: 'A Customer or a BeneficialOwner.' }),
    documentType: documentType,
    country: z.string(),
    fileName: z.string(),
    side: documentSide.optional(),
    documentNumber: z.string().optional(),
    issuingAuthority: z.string().optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Document' });

export const renderDocument = (row: DocumentRow): z.input<typeof documentSchema> =>
  present({
    id: row.id,
    documentHolder: row.document_holder,
    documentType: row.document_type,
    country: row.country,
    fileName: row.file_name,
    side: row.side ?? undefined,
    documentNumber: row.document_number ?? undefined,
    issuingAuthority: row.issuing_authority ?? undefined,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });
