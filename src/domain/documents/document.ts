/** A document that somebody gave about a customer or a beneficial owner. Its content is kept beside the log. */
import type { Decider } from '../../kernel/decider.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { DocumentEvent } from './events.ts';

export type DocumentDetails = Extract<DocumentEvent, { type: 'DocumentUploaded' }>['data'];
export type DocumentVersion = Omit<
  Extract<DocumentEvent, { type: 'DocumentReplaced' }>['data'],
  'documentId' | 'formerContentId' | 'at'
>;

export type DocumentCommand =
  | { readonly type: 'UploadDocument'; readonly details: DocumentDetails }
  | { readonly type: 'ReplaceDocument'; readonly version: DocumentVersion; readonly at: Date }
  | { readonly type: 'SubmitDocument' | 'DeleteDocument'; readonly at: Date };

export type KeptDocument = {
  readonly status: 'kept';
  readonly details: DocumentDetails;
  readonly isSubmitted: boolean;
  readonly updatedAt: Date;
};
export type Document = { readonly status: 'none' } | { readonly status: 'deleted' } | KeptDocument;

export const document: Decider<Document, DocumentCommand, DocumentEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    if (command.type === 'UploadDocument')
      return state.status === 'none' ? [{ type: 'DocumentUploaded', data: command.details }] : [];
    const { at } = command;
    if (state.status !== 'kept') {
      if (command.type === 'SubmitDocument') return [];
      throw documentNotFound();
    }
    const { documentId, contentId: formerContentId } = state.details;
    switch (command.type) {
      case 'ReplaceDocument':
        requireNotSubmitted(state);
        return [{ type: 'DocumentReplaced', data: { documentId, ...command.version, formerContentId, at } }];
      case 'SubmitDocument':
        return state.isSubmitted ? [] : [{ type: 'DocumentSubmitted', data: { documentId, at } }];
      case 'DeleteDocument':
        requireNotSubmitted(state);
        return [{ type: 'DocumentDeleted', data: { documentId, formerContentId, at } }];
    }
  },

  evolve(state, event) {
    if (event.type === 'DocumentUploaded')
      return { status: 'kept', details: event.data, isSubmitted: false, updatedAt: event.data.at };
    invariant(state.status === 'kept', `${event.type} of a document that is not kept`);
    switch (event.type) {
      case 'DocumentReplaced': {
        const { platformId, documentId, documentHolder, at } = state.details;
        const { at: updatedAt, formerContentId: _gone, ...version } = event.data;
        return { ...state, details: { ...version, platformId, documentId, documentHolder, at }, updatedAt };
      }
      case 'DocumentSubmitted':
        return { ...state, isSubmitted: true, updatedAt: event.data.at };
      case 'DocumentDeleted':
        return { status: 'deleted' };
    }
  },
};

/** What a verification has looked at stays what it was. */
function requireNotSubmitted({ isSubmitted }: KeptDocument): void {
  if (isSubmitted) throw new Rejected('CONFLICT', 'The document has been submitted for verification.');
}

export const documentNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such document.', { resource: 'Document' });
