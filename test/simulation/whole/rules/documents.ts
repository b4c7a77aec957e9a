/** Documents: what the log says of them, and what is kept of their contents beside it. */
import { document, type KeptDocument } from '../../../../src/domain/documents/document.ts';
import type { Known, Rule } from './rules.ts';
import { statesIn } from './states.ts';

const keptIn = (known: Known): readonly KeptDocument[] =>
  [...statesIn(known, 'document', document).values()].flatMap((one) => (one.status === 'kept' ? [one] : []));

/** The holders of whom nothing is kept any more: customers who were erased, and the owners of theirs. */
function erasedIn({ finished }: Known): ReadonlySet<string> {
  const erased = new Set<string>();
  for (const { type, data } of finished) if (type === 'CustomerErased') erased.add(data.customerId);
  for (const { type, data } of finished)
    if (type === 'BeneficialOwnerCreated' && erased.has(data.customerId)) erased.add(data.beneficialOwnerId);
  return erased;
}

export const ofDocuments: Readonly<Record<string, Rule>> = {
  *'a document has its content'(known) {
    const contents = new Map(known.rows.contents.map(({ id, sha256 }) => [id, sha256]));
    const erased = erasedIn(known);
    for (const { details } of keptIn(known)) {
      const { documentId, documentHolder, contentId, sha256 } = details;
      if (erased.has(documentHolder)) continue;
      if (contents.get(contentId) !== sha256)
        yield `${documentId}: ${contents.get(contentId)} in ${contentId} for ${sha256}`;
    }
  },

  *'no content is kept that no document has'(known) {
    const named = new Set(keptIn(known).map(({ details }) => details.contentId));
    for (const { id, is_kept, document_id } of known.rows.contents)
      if (is_kept && !named.has(id)) yield `${id} of ${document_id}`;
  },

  *'what a document has given up is gone'({ finished, rows }) {
    const there = new Set(rows.contents.map(({ id }) => id));
    for (const { data } of finished)
      if ('formerContentId' in data && there.has(data.formerContentId))
        yield `${data.formerContentId} of ${data.documentId}`;
  },

  *'nothing is kept of documents of who was erased'(known) {
    const erased = erasedIn(known);
    const documents = keptIn(known).filter(({ details }) => erased.has(details.documentHolder));
    const ids = new Set<string>(documents.map(({ details }) => details.documentId));
    for (const { id, document_id } of known.rows.contents)
      if (document_id !== null && ids.has(document_id)) yield `${id} of ${document_id}`;
  },

  *'a document that was submitted stays what it was'({ finished }) {
    const submitted = new Set<string>();
    for (const { stream, type } of finished) {
      if (type === 'DocumentSubmitted') submitted.add(stream);
      else if (type.startsWith('Document') && submitted.has(stream)) yield `${type} of ${stream}`;
    }
  },
};
