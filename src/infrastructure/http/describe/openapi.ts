/** The OpenAPI 3.1 document, made from the operations and their schemas. */
import { z } from 'zod';
import type { JSONSchema } from 'zod/v4/core';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Operation } from '../operation.ts';
import { errorBodyWith } from '../problem.ts';
import { declaredErrors } from './errors.ts';
import { asAnswer, type Webhooks, webhookObjects } from './webhooks.ts';

const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description: 'The first answer to this key is the answer to every request with it, for 24 hours.',
  }),
});

type HeaderObject = {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer' };
};
type HeadersOf = (
  operation: Operation,
  status: number,
) => Record<string, { $ref: `#/components/headers/${string}` }>;

/** What the operations do not say of themselves. */
export type DocumentInfo = {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly basePath: string;
  /** The groups of operations, in their order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** The headers of answers by name, and those that an answer with a status may have. */
  readonly headers: Readonly<Record<string, HeaderObject>>;
  readonly headersOf: HeadersOf;
  /** A body for each operation that takes one. */
  readonly examples: Readonly<Record<string, object>>;
  /** What a parameter of an operation is shown with. */
  readonly parameterExample: (operationId: string, name: string) => string | number | undefined;
  /** What a parameter means that does not say it itself. */
  readonly parameterText: (operationId: string, name: string) => string | undefined;
  /** By operation, what its description says of trying it out. */
  readonly exampleNeeds: Readonly<Record<string, string>>;
  readonly webhooks: Webhooks;
  /** Every code that a refusal may have. */
  readonly errorCodes: readonly string[];
  /** What the credentials of each scheme are. */
  readonly credentials: Readonly<Record<'basic' | 'bearer', string>>;
};

export function openApiDocument(operations: readonly Operation[], info: DocumentInfo) {
  const { title, description, version, basePath, tags, headers, credentials } = info;
  const refusal = errorBodyWith(info.errorCodes);
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const path = `${basePath}${operation.path}`;
    paths[path] = {
      ...paths[path],
      [operation.method]: operationObject(operation, info, refusal),
    };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { title, version, description },
      servers: [{ url: '/', description: 'The service that this document comes from.' }],
      tags: [...tags],
      security: [{ basic: [] }],
      paths: { ...paths, [sentBodies]: asAnswer(info.webhooks) },
      webhooks: webhookObjects(info.webhooks),
      components: {
        headers: { ...headers },
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic', description: credentials.basic },
          bearer: { type: 'http', scheme: 'bearer', description: credentials.bearer },
        },
      },
    },
    { allowEmptySchema: { custom: true }, override: completeSchema },
  );
  delete document.paths?.[sentBodies];
  completeParameters(document, info);
  openReferences(document);
  return document;
}

const sentBodies = '/webhooks';

type SchemaOf = { readonly jsonSchema: JSONSchema.BaseSchema; readonly io: 'input' | 'output' };

/** Answers may have more than their schemas say. */
function completeSchema({ jsonSchema, io }: SchemaOf): void {
  if (io === 'input') completeAlternatives(jsonSchema);
  else if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

/** What was taken from a schema is left beside references to it that have a description of their own. */
function openReferences(within: object): void {
  if ('$ref' in within && 'additionalProperties' in within) delete within.additionalProperties;
  for (const member of Object.values(within))
    if (typeof member === 'object' && member !== null) openReferences(member);
}

/** Members of which some have to be there stand again where they are required: types come of what stands there. */
function completeAlternatives({ properties = {}, anyOf, oneOf }: JSONSchema.BaseSchema): void {
  for (const one of anyOf ?? oneOf ?? []) {
    if (typeof one === 'boolean' || one.type || !one.required) continue;
    const required = one.required.flatMap((name) =>
      properties[name] === undefined ? [] : [[name, properties[name]]],
    );
    one.properties = structuredClone(Object.fromEntries(required));
  }
}

function completeParameters(
  { paths = {} }: ReturnType<typeof createDocument>,
  { parameterExample, parameterText }: DocumentInfo,
): void {
  for (const item of Object.values(paths))
    for (const operation of Object.values(item as Readonly<Record<string, Described>>))
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in === 'header') continue;
        const example = parameterExample(operation.operationId, parameter.name);
        if (example !== undefined) parameter.example = example;
        if (parameter.in !== 'query' || parameter.description !== undefined) continue;
        const text = parameterText(operation.operationId, parameter.name);
        if (text !== undefined) parameter.description = text;
      }
}

type Described = {
  readonly operationId: string;
  readonly parameters?: {
    readonly name: string;
    readonly in: string;
    description?: string;
    example?: unknown;
  }[];
};

function operationObject(
  operation: Operation,
  { headersOf, examples, exampleNeeds }: DocumentInfo,
  refusal: z.ZodType,
): ZodOpenApiOperationObject {
  const { operationId, tag, summary, params, query, body, multipart } = operation;
  const example = examples[operationId];
  return {
    operationId,
    tags: [tag],
    summary,
    ...securityOf(operation),
    description: [operation.description, exampleNeeds[operationId], needsOf(operation)]
      .filter(Boolean)
      .join('\n\n'),
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...requestHeaders(operation),
    },
    ...(body && {
      requestBody: {
        required: !operation.bodyOptional,
        content: { 'application/json': { schema: body, ...(example && { example }) } },
      },
    }),
    ...(multipart && { requestBody: formOf(multipart, example) }),
    responses: { ...successes(operation, headersOf), ...failures(operation, headersOf, refusal) },
  };
}

function requestHeaders({ idempotent, headers: own }: Operation) {
  const headers = { ...(idempotent && idempotencyHeader.shape), ...own?.shape };
  return Object.keys(headers).length > 0 ? { header: z.object(headers) } : {};
}

const formOf = (
  { fields, types, bytesMax }: NonNullable<Operation['multipart']>,
  example: object | undefined,
) => {
  const file = z.string().max(bytesMax).meta({ format: 'binary', description: types });
  const { id, ...about } = fields.meta() ?? {};
  const schema = fields.extend({ file }).meta({ ...about, ...(id !== undefined && { id }) });
  return { required: true, content: { 'multipart/form-data': { schema, ...(example && { example }) } } };
};

function securityOf({ authentication }: Operation): Pick<ZodOpenApiOperationObject, 'security'> {
  if (authentication === 'none') return { security: [] };
  return authentication === 'bearer' ? { security: [{ bearer: [] }] } : {};
}

function needsOf({ authentication, permission }: Operation): string | undefined {
  if (authentication === 'none') return 'Takes no credentials.';
  return authentication === 'bearer' ? undefined : `Needs the permission ${permission.join(' or ')}.`;
}

const successes = (operation: Operation, headersOf: HeadersOf) =>
  Object.fromEntries(
    Object.entries(operation.responses).map(
      ([status, { description, schema, contentType = 'application/json' }]) => [
        status,
        {
          description,
          headers: headersOf(operation, Number(status)),
          ...(schema && { content: { [contentType]: { schema } } }),
        },
      ],
    ),
  );

const failures = (operation: Operation, headersOf: HeadersOf, schema: z.ZodType) => {
  const reserved = operation.reserved?.map((status) => [status, reservedStatus] as const) ?? [];
  const declared = Object.entries(declaredErrors(operation)).map(
    ([status, codes]) => [status, codes.join(', ')] as const,
  );
  return Object.fromEntries(
    [...reserved, ...declared].map(([status, description]) => [
      status,
      {
        description,
        headers: headersOf(operation, Number(status)),
        content: { 'application/json': { schema } },
      },
    ]),
  );
};

/** For clients that are made from the document, and know it from other services of the same interface. */
const reservedStatus = 'Reserved by the interface: this service does not answer it.';
