import { z } from 'zod';
import { documentNotFound } from '../../domain/documents/document.ts';
import { documentFile } from '../../domain/documents/file-type.ts';
import { bounds } from '../../domain/values/bounds.ts';
import { countryCode, text } from '../../domain/values/text.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { documentSide, documentType } from '../fields/enumerations.ts';
import { listOf } from '../fields/lists.ts';
import type { Operation } from '../operation.ts';
import { documentSchema } from './render.ts';

const documentHolder = z.union([idSchema('Customer'), idSchema('BeneficialOwner')]);
const fields = z.object({
  documentType: documentType,
  country: countryCode,
  side: documentSide.optional(),
  documentNumber: text(1, bounds.line).optional(),
  issuingAuthority: text(1, bounds.line).optional(),
});

const tag = 'Documents';
const answer = { description: 'The document, without its content.', schema: documentSchema };
const byId = { params: z.object({ documentId: idSchema('Document') }), notFound: documentNotFound };
const notFound = { 404: ['REFERENCE_NOT_FOUND'] };
const uploadErrors = { 400: ['INVALID_INPUT', 'INVALID_REQUEST_FORMAT'], ...notFound, 409: ['CONFLICT'] };

export const uploadDocument = {
  operationId: 'uploadDocument',
  method: 'post',
  path: '/documents',
  tag,
  summary: 'Upload a document of a customer or a beneficial owner',
  description: 'The type of the file is told by its first bytes. Its content is never returned.',
  permission: ['MANAGE'],
  multipart: {
    ...documentFile,
    fields: fields.extend({ documentHolder }).meta({ id: 'DocumentUploadRequest' }),
  },
  responses: { 201: answer },
  errors: basicErrors({ ...uploadErrors, 410: ['CUSTOMER_DELETED'] }),
} as const satisfies Operation;

export const listDocumentsOperation = {
  operationId: 'listDocuments',
  path: '/documents',
  tag,
  summary: 'List documents',
  ...listOf(documentSchema, 'A page of documents, newest first.', {
    documentHolder: documentHolder.optional(),
  }),
} as const satisfies Operation;

export const getDocument = {
  operationId: 'getDocument',
  method: 'get',
  path: '/documents/{documentId}',
  tag,
  summary: 'Read what is known of a document',
  permission: ['VIEW'],
  ...byId,
  responses: { 200: answer },
  errors: basicErrors(notFound),
} as const satisfies Operation;

export const replaceDocument = {
  operationId: 'replaceDocument',
  method: 'put',
  path: '/documents/{documentId}',
  tag,
  summary: 'Replace a document',
  description:
    'The file and every field are replaced; the holder stays. Not once the document has been submitted for verification.',
  permission: ['MANAGE'],
  ...byId,
  multipart: { ...documentFile, fields: fields.meta({ id: 'DocumentReplaceRequest' }) },
  responses: { 200: answer },
  errors: basicErrors({ ...uploadErrors, 410: ['CUSTOMER_DELETED'] }),
} as const satisfies Operation;

export const deleteDocument = {
  operationId: 'deleteDocument',
  method: 'delete',
  path: '/documents/{documentId}',
  tag,
  summary: 'Delete a document',
  description: 'Not once it has been submitted for verification.',
  permission: ['MANAGE'],
  ...byId,
  responses: { 204: { description: 'The document and its content are deleted.' } },
  errors: basicErrors({ ...notFound, 409: ['CONFLICT'] }),
} as const satisfies Operation;
