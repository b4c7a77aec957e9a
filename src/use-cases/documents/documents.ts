/** What becomes of a document: its event, and its content beside the log. */

import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import type { Document, DocumentVersion, KeptDocument } from '../../domain/documents/document.ts';
import type { DocumentHolder } from '../../domain/documents/events.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { idOf, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Attempt } from '../attempt.ts';
import type { Commands } from '../commands.ts';
import { whileThere } from '../customers/while-there.ts';
import { loadDocumentHolder } from '../find/document.ts';
import type { DocumentContents } from './contents.ts';

type Deps = {
  readonly commands: Commands;
  readonly contents: Pick<DocumentContents, 'claim' | 'tidy' | 'settle'>;
  readonly now: () => Date;
};
type NewDocument = {
  readonly platformId: PlatformId;
  readonly documentHolder: DocumentHolder;
  readonly version: DocumentVersion;
};

/** `holder` is the customer who is the document's holder, or whose owner is. */
export async function uploadDocument(
  { commands, contents, now }: Deps,
  holder: KnownCustomer,
  { platformId, documentHolder, version }: NewDocument,
  { cause, uuidFor }: Attempt,
): Promise<KeptDocument> {
  requireNotDeleted(holder);
  const uuid = uuidFor('document');
  const documentId = idOf('Document', uuid);
  await contents.claim(version.contentId, documentId);
  const details = { platformId, documentId, documentHolder, ...version, at: now() };
  const command = { type: 'UploadDocument', details } as const;
  const ofHolder = whileThere(commands, holder.customerId, cause);
  const { state } = await commands.run('document', uuid, command, ofHolder);
  await contents.settle(version.contentId);
  return kept(state);
}

/** The former content goes at once. Throws `Rejected` (409) once the document has been submitted. */
export async function replaceDocument(
  { commands, contents, now }: Deps,
  { details: { platformId, documentId, documentHolder } }: KeptDocument,
  version: DocumentVersion,
  cause: Cause,
): Promise<KeptDocument> {
  const holder = await loadDocumentHolder(commands, platformId, documentHolder);
  requireNotDeleted(holder);
  await contents.claim(version.contentId, documentId);
  const command = { type: 'ReplaceDocument', version, at: now() } as const;
  const ofHolder = whileThere(commands, holder.customerId, cause);
  const { state, events } = await commands.run('document', uuidOf(documentId), command, ofHolder);
  for (const event of events) await contents.tidy(event);
  await contents.settle(version.contentId);
  return kept(state);
}

/** With its content. Throws `Rejected` (409) once it has been submitted. */
export async function deleteDocument(
  { commands, contents, now }: Deps,
  { details: { documentId } }: KeptDocument,
  cause: Cause,
): Promise<void> {
  const command = { type: 'DeleteDocument', at: now() } as const;
  const { events } = await commands.run('document', uuidOf(documentId), command, cause);
  for (const event of events) await contents.tidy(event);
}

function kept(state: Document): KeptDocument {
  invariant(state.status === 'kept', 'a document that is not there any more');
  return state;
}
