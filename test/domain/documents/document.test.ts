import { describe, expect, it } from 'vitest';
import { document } from '../../../src/domain/documents/document.ts';
import { documentFile } from '../../../src/domain/documents/file-type.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import {
  documentDeleted,
  documentDetails,
  documentReplaced,
  documentSubmitted,
  documentUploaded,
  documentVersion,
} from '../../support/builders/documents.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { fileOf, heads } from '../../support/resources/documents.ts';
import { testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const given = specFor(document);
const at = testStart;
const other = { contentId: uuidNumber(33), country: 'FR' };
const replace = { type: 'ReplaceDocument', version: documentVersion(other), at } as const;
const submit = { type: 'SubmitDocument', at } as const;
const remove = { type: 'DeleteDocument', at } as const;

describe('a document', () => {
  it('is uploaded once', () => {
    const upload = { type: 'UploadDocument', details: documentDetails() } as const;
    given().when(upload).then(documentUploaded());
    given(documentUploaded()).when(upload).thenNothing();
  });

  it('names the content that it gave up when it is replaced', () => {
    given(documentUploaded()).when(replace).then(documentReplaced(other));
    const state = stateOf(document, documentUploaded(), documentReplaced(other));
    expect(state).toMatchObject({ details: { ...other, documentHolder: documentDetails().documentHolder } });
    expect(state).not.toHaveProperty('details.documentNumber');
  });

  it('is deleted with its content', () => {
    given(documentUploaded()).when(remove).then(documentDeleted());
    given(documentUploaded(), documentReplaced(other)).when(remove).then(documentDeleted(other.contentId));
  });

  it('stays once it was submitted', () => {
    given(documentUploaded()).when(submit).then(documentSubmitted());
    given(documentUploaded(), documentSubmitted()).when(submit).thenNothing();
    for (const command of [remove, replace])
      given(documentUploaded(), documentSubmitted()).when(command).thenRejected('CONFLICT');
  });

  it('stays as it was replaced after its submission in a log of before', () => {
    const history = [documentUploaded(), documentSubmitted(), documentReplaced(other)] as const;
    expect(stateOf(document, ...history)).toMatchObject({ details: other, isSubmitted: true });
    given(...history)
      .when(remove)
      .thenRejected('CONFLICT');
  });

  it.each([
    ['not there', []],
    ['deleted', [documentUploaded(), documentDeleted()]],
  ])('is not found when it is %s', (_what, history) => {
    given(...history)
      .when(replace)
      .thenRejected('REFERENCE_NOT_FOUND');
    given(...history)
      .when(remove)
      .thenRejected('REFERENCE_NOT_FOUND');
    given(...history)
      .when(submit)
      .thenNothing();
  });

  it('cannot have been changed before there was one', () => {
    expect(() => stateOf(document, documentSubmitted())).toThrow(InvariantViolation);
  });
});

describe('the type of a file', () => {
  it.each(Object.keys(heads) as (keyof typeof heads)[])('is %s by its first bytes', (type) => {
    expect(documentFile.typeOf(fileOf(type))).toBe(type);
    expect(documentFile.typeOf(heads[type])).toBe(type);
    expect(documentFile.typeOf(heads[type].subarray(0, 2))).toBeUndefined();
  });

  it.each(['', ' %PDF-', 'GIF89a', '<svg>', 'PK'])('is not known by %j', (text) => {
    expect(documentFile.typeOf(Buffer.from(text))).toBeUndefined();
  });
});
