import type { ReadDb } from '../../../projections/database.ts';
import { findDocument, listDocuments, rowOfDocument } from '../../../projections/models/documents.ts';
import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import { documentNotFound, type KeptDocument } from '../../domain/documents/document.ts';
import type { DocumentHolder } from '../../domain/documents/events.ts';
import type { UploadedFile } from '../../infrastructure/http/uploads/multipart.ts';
import { type DocumentId, idOf, isId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../../use-cases/commands.ts';
import type { DocumentContents } from '../../use-cases/documents/contents.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import * as api from './operations.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly contents: Pick<DocumentContents, 'claim' | 'tidy' | 'settle'>;
  readonly now: () => Date;
};
type ById = Pick<Request<typeof api.getDocument>, 'principal' | 'params'>;

export function documentRoutes({ commands, readDb, contents, now }: Deps): readonly Route[] {
  const find = ({ principal, params }: ById) =>
    requireDocument(commands, principal.platformId, params.documentId);
  return [
    routeOn(
      api.uploadDocument,
      ({ body, principal }) => requireHolder(commands, principal.platformId, body.documentHolder),
      async ({ principal, body, upload, uuidFor, cause }, customer) => {
        requireNotDeleted(customer);
        const uuid = uuidFor('document');
        const documentId = idOf('Document', uuid);
        await contents.claim(upload.uploadId, documentId);
        const about = { platformId: principal.platformId, documentId, documentHolder: body.documentHolder };
        const details = { ...about, ...versionOf(body, upload), at: now() };
        const { state } = await commands.run('document', uuid, { type: 'UploadDocument', details }, cause);
        await contents.settle(upload.uploadId);
        return { status: 201, body: render(state) };
      },
    ),

    route(api.listDocumentsOperation, async ({ principal, query: { limit, cursor, documentHolder } }) => {
      const page = await listDocuments(readDb, principal.platformId, documentHolder, { limit, cursor });
      return { status: 200, body: renderPage(page, api.renderDocument) };
    }),

    routeOn(
      api.getDocument,
      async ({ principal, params }) => {
        const row = await findDocument(readDb, principal.platformId, params.documentId);
        if (!row) throw documentNotFound();
        return row;
      },
      async (_request, row) => ({ status: 200, body: api.renderDocument(row) }),
    ),

    routeOn(api.replaceDocument, find, async ({ principal, body, upload, cause }, { details }) => {
      requireNotDeleted(await requireHolder(commands, principal.platformId, details.documentHolder));
      const { documentId } = details;
      await contents.claim(upload.uploadId, documentId);
      const command = { type: 'ReplaceDocument', version: versionOf(body, upload), at: now() } as const;
      const { state, events } = await commands.run('document', uuidOf(documentId), command, cause);
      for (const event of events) await contents.tidy(event);
      await contents.settle(upload.uploadId);
      return { status: 200, body: render(state) };
    }),

    routeOn(api.deleteDocument, find, async ({ cause }, { details }) => {
      const command = { type: 'DeleteDocument', at: now() } as const;
      const { events } = await commands.run('document', uuidOf(details.documentId), command, cause);
      for (const event of events) await contents.tidy(event);
      return { status: 204 };
    }),
  ];
}

const render = (state: Parameters<typeof rowOfDocument>[0] | { readonly status: string }) => {
  invariant(state.status === 'kept' && 'details' in state, 'a document that is not there any more');
  return api.renderDocument(rowOfDocument(state));
};

type Fields = Omit<Request<typeof api.uploadDocument>['body'], 'documentHolder'>;

const versionOf = (
  { documentType, country, side, documentNumber, issuingAuthority }: Fields,
  { uploadId: contentId, fileName, contentType, size, sha256 }: UploadedFile,
) => ({
  ...{ documentType, country, side, documentNumber, issuingAuthority },
  ...{ contentId, fileName, contentType, size, sha256 },
});

/** Throws `Rejected` (404) for a document that is not there or not this platform's. */
async function requireDocument(
  commands: Commands,
  platformId: PlatformId,
  id: DocumentId,
): Promise<KeptDocument> {
  const found = await commands.load('document', uuidOf(id));
  if (found.status !== 'kept' || found.details.platformId !== platformId) throw documentNotFound();
  return found;
}

/** The customer who is the holder, or whose owner is. Throws `Rejected` (404) for what is not there or not this platform's. */
async function requireHolder(
  commands: Commands,
  platformId: PlatformId,
  holder: DocumentHolder,
): Promise<KnownCustomer> {
  const owner = isId('BeneficialOwner', holder)
    ? await commands.load('beneficialOwner', uuidOf(holder))
    : undefined;
  const customerId = owner && owner.status !== 'none' ? owner.customerId : holder;
  const customer = isId('Customer', customerId)
    ? await commands.load('customer', uuidOf(customerId))
    : undefined;
  if (!customer || customer.status === 'none' || customer.platformId !== platformId) throw holderNotFound();
  return customer;
}

const holderNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such document holder.', { resource: 'DocumentHolder' });
