import { z } from 'zod';
import { type EventOf, instant, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';

export const documentTypes = [
  'PASSPORT',
  'DRIVERS_LICENSE',
  'NATIONAL_ID',
  'PROOF_OF_ADDRESS',
  'BANK_STATEMENT',
  'TAX_RETURN',
  'CERTIFICATE_OF_INCORPORATION',
  'ARTICLES_OF_INCORPORATION',
  'ARTICLES_OF_ASSOCIATION',
  'STATE_REGISTRY_EXCERPT',
  'GOOD_STANDING_CERTIFICATE',
  'INFORMATION_STATEMENT',
  'INCUMBENCY_CERTIFICATE',
  'BUSINESS_LICENSE',
  'SHAREHOLDER_REGISTER',
  'POWER_OF_ATTORNEY',
  'UTILITY_BILL',
  'ELECTRICITY_BILL',
  'RENT_OR_LEASE_AGREEMENT',
  'DIRECTOR_REGISTRY',
  'TRUST_AGREEMENT',
  'STATE_COMPANY_REGISTRY',
  'PARTNERSHIP_CONTROL_AGREEMENT',
  'PARTNERSHIP_AGREEMENT',
  'SELFIE',
  'OTHER',
] as const;
export type DocumentType = (typeof documentTypes)[number];

export const documentSides = ['FRONT', 'BACK'] as const;

/** A customer or a beneficial owner. */
const documentHolder = z.union([idField('Customer'), idField('BeneficialOwner')]);
export type DocumentHolder = z.output<typeof documentHolder>;

const documentId = idField('Document');

const version = {
  documentType: z.enum(documentTypes),
  country: z.string().length(2),
  side: z.enum(documentSides).optional(),
  documentNumber: personal(z.string()).optional(),
  issuingAuthority: z.string().optional(),
  fileName: personal(z.string().min(1)),
  contentType: z.string().min(1),
  size: z.int().min(1),
  /** Of the content, which is not in the log: it can be removed, and the log still tells what it was. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  contentId: z.uuid(),
};

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const documentEvents = {
  DocumentUploaded: z.object({
    platformId: idField('Platform'),
    documentId,
    documentHolder,
    ...version,
    at: instant,
  }),
  /** The whole document is another from now on. */
  DocumentReplaced: z.object({ documentId, ...version, formerContentId: z.uuid(), at: instant }),
  /** It is part of a verification from now on. */
  DocumentSubmitted: z.object({ documentId, at: instant }),
  DocumentDeleted: z.object({ documentId, formerContentId: z.uuid(), at: instant }),
};
export type DocumentEvent = EventOf<typeof documentEvents>;
