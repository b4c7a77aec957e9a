import type { ReadDb } from '../../../projections/database.ts';
import { findDocument, listDocuments, rowOfDocument } from '../../../projections/models/documents.ts';
import { documentNotFound } from '../../domain/documents/document.ts';
import type { UploadedFile } from '../../infrastructure/http/uploads/multipart.ts';
import type { Commands } from '../../use-cases/commands.ts';
import type { DocumentContents } from '../../use-cases/documents/contents.ts';
import { deleteDocument, replaceDocument, uploadDocument } from '../../use-cases/documents/documents.ts';
import { loadDocument, loadDocumentHolder } from '../../use-cases/find/document.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import * as operations from './operations.ts';
import { renderDocument } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly listDb: ReadDb;
  readonly contents: Pick<DocumentContents, 'claim' | 'tidy' | 'settle'>;
  readonly now: () => Date;
};
type ById = Pick<Request<typeof operations.getDocument>, 'principal' | 'params'>;

export function documentRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, listDb } = deps;
  const load = ({ principal, params }: ById) =>
    loadDocument(commands, principal.platformId, params.documentId);
  return [
    routeOn(
      operations.uploadDocument,
      ({ body, principal }) => loadDocumentHolder(commands, principal.platformId, body.documentHolder),
      async (request, holder) => {
        const { body, upload, principal } = request;
        const { documentHolder } = body;
        const { platformId } = principal;
        const asked = { platformId, documentHolder, version: versionOf(body, upload) };
        const document = await uploadDocument(deps, holder, asked, request);
        return { status: 201, body: renderDocument(rowOfDocument(document)) };
      },
    ),
    route(operations.listDocumentsOperation, async ({ principal, query }) => {
      const { limit, cursor, documentHolder } = query;
      const page = await listDocuments(listDb, principal.platformId, documentHolder, { limit, cursor });
      return { status: 200, body: renderPage(page, renderDocument) };
    }),
    routeOn(
      operations.getDocument,
      async ({ principal, params }) => {
        const row = await findDocument(readDb, principal.platformId, params.documentId);
        if (!row) throw documentNotFound();
        return row;
      },
      async (_request, row) => ({ status: 200, body: renderDocument(row) }),
    ),
    routeOn(operations.replaceDocument, load, async ({ body, upload, cause }, found) => {
      const document = await replaceDocument(deps, found, versionOf(body, upload), cause);
      return { status: 200, body: renderDocument(rowOfDocument(document)) };
    }),
    routeOn(operations.deleteDocument, load, async ({ cause }, found) => {
      await deleteDocument(deps, found, cause);
      return { status: 204 };
    }),
  ];
}

type Fields = Omit<Request<typeof operations.uploadDocument>['body'], 'documentHolder'>;

const versionOf = (
  { documentType, country, side, documentNumber, issuingAuthority }: Fields,
  { uploadId: contentId, fileName, contentType, size, sha256 }: UploadedFile,
) => ({
  documentType,
  country,
  side,
  documentNumber,
  issuingAuthority,
  contentId,
  fileName,
  contentType,
  size,
  sha256,
});
