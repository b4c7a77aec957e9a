import type { DocumentDetails, DocumentVersion } from '../../../src/domain/documents/document.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { testStart } from '../time/clock.ts';
import { uuidNumber } from '../values/ids.ts';
import { customerId, platformId } from './identities.ts';

export const documentId = idOf('Document', uuidNumber(31));

export const documentVersion = (overrides: Partial<DocumentVersion> = {}): DocumentVersion => ({
  documentType: 'PASSPORT',
  country: 'GB',
  fileName: 'passport.png',
  contentType: 'image/png',
  size: 1_000,
  sha256: 'ab'.repeat(32),
  contentId: uuidNumber(32),
  ...overrides,
});

export const documentDetails = (): DocumentDetails => ({
  platformId,
  documentId,
  documentHolder: customerId,
  at: testStart,
  ...documentVersion({ side: 'FRONT', documentNumber: 'X1' }),
});

export const documentUploaded = () => ({ type: 'DocumentUploaded', data: documentDetails() }) as const;

export const documentReplaced = (overrides: Partial<DocumentVersion> = {}) => {
  const data = { documentId, ...documentVersion(overrides), formerContentId: uuidNumber(32), at: testStart };
  return { type: 'DocumentReplaced', data } as const;
};

export const documentSubmitted = () =>
  ({ type: 'DocumentSubmitted', data: { documentId, at: testStart } }) as const;

export const documentDeleted = (formerContentId = uuidNumber(32)) =>
  ({ type: 'DocumentDeleted', data: { documentId, formerContentId, at: testStart } }) as const;
