import type { KeptDocument } from '../../src/domain/documents/document.ts';
import type { DocumentHolder } from '../../src/domain/documents/events.ts';
import type { DocumentId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type { Projection } from '../projector/projection.ts';
import type { DocumentRow } from '../tables/customers.ts';

export const documents: Projection = {
  name: 'documents',
  tables: ['documents'],
  project(event, rows) {
    if (event.of !== 'document') return;
    if (event.state.status === 'kept') rows.put('documents', rowOfDocument(event.state));
    else rows.remove('documents', { id: event.data.documentId });
  },
};

/** The row of a document in a state. */
export const rowOfDocument = ({ details, updatedAt }: KeptDocument): DocumentRow => ({
  id: details.documentId,
  platform_id: details.platformId,
  document_holder: details.documentHolder,
  document_type: details.documentType,
  country: details.country,
  file_name: details.fileName,
  side: details.side ?? null,
  document_number: details.documentNumber ?? null,
  issuing_authority: details.issuingAuthority ?? null,
  created_at: details.at,
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

export async function countDocumentsOf(db: ReadDb, holders: readonly DocumentHolder[]): Promise<number> {
  const { count } = await db
    .selectFrom('documents')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('document_holder', 'in', holders)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The documents of these holders, the oldest first, and no more than so many. */
export const documentsOf = (
  db: ReadDb,
  holders: readonly DocumentHolder[],
  limit: number,
): Promise<DocumentRow[]> =>
  db
    .selectFrom('documents')
    .selectAll()
    .where('document_holder', 'in', holders)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
