import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { DocumentDetails, DocumentVersion, KeptDocument } from '../../src/domain/documents/document.ts';
import type { DocumentHolder } from '../../src/domain/documents/events.ts';
import type { DocumentId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import { handlersOf, type Projection, platformOf } from '../projector/projection.ts';
import type { DocumentRow } from '../tables/customers.ts';

type DocumentEvents = Extract<
  DomainEvent,
  { type: 'DocumentUploaded' | 'DocumentReplaced' | 'DocumentSubmitted' | 'DocumentDeleted' }
>;

export const documents: Projection = {
  name: 'documents',
  tables: ['documents'],
  project: handlersOf<DocumentEvents>({
    DocumentUploaded: (event, db) =>
      db
        .insertInto('documents')
        .values(toRow(platformOf(event), event.data))
        .execute(),
    DocumentReplaced: ({ data }, db) =>
      db
        .updateTable('documents')
        .set({ ...columnsOf(data), updated_at: data.at })
        .where('id', '=', data.documentId)
        .returning('id')
        .executeTakeFirstOrThrow(),
    DocumentSubmitted: ({ data }, db) =>
      db
        .updateTable('documents')
        .set({ updated_at: data.at })
        .where('id', '=', data.documentId)
        .returning('id')
        .executeTakeFirstOrThrow(),
    DocumentDeleted: ({ data }, db) =>
      db.deleteFrom('documents').where('id', '=', data.documentId).returning('id').executeTakeFirstOrThrow(),
  }),
};

const columnsOf = (version: DocumentVersion) => ({
  document_type: version.documentType,
  country: version.country,
  file_name: version.fileName,
  side: version.side ?? null,
  document_number: version.documentNumber ?? null,
  issuing_authority: version.issuingAuthority ?? null,
});

const toRow = (platformId: PlatformId, details: DocumentDetails): DocumentRow => ({
  id: details.documentId,
  platform_id: platformId,
  document_holder: details.documentHolder,
  ...columnsOf(details),
  created_at: details.at,
  updated_at: details.at,
});

/** The row of a document in a state that was just decided. */
export const rowOfDocument = ({ details, updatedAt }: KeptDocument): DocumentRow => ({
  ...toRow(details.platformId, details),
  updated_at: updatedAt,
});

export const findDocument = (db: ReadDb, platformId: PlatformId, id: DocumentId) =>
  db
    .selectFrom('documents')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();

export function listDocuments(
  db: ReadDb,
  platformId: PlatformId,
  documentHolder: DocumentHolder | undefined,
  page: PageRequest,
): Promise<Page<DocumentRow>> {
  const query = db.selectFrom('documents').selectAll().where('platform_id', '=', platformId);
  const ofHolder = documentHolder === undefined ? query : query.where('document_holder', '=', documentHolder);
  return paginate(ofHolder, page, { documentHolder, list: 'documents' });
}

/** Every document of these holders, oldest first. */
export const documentsOf = (db: ReadDb, holders: readonly DocumentHolder[]): Promise<DocumentRow[]> =>
  db
    .selectFrom('documents')
    .selectAll()
    .where('document_holder', 'in', holders)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
