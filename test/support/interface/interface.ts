/** The operations of the OpenAPI document, as tests walk through them. */
import { basePath } from '../../../src/app/interface/address.ts';
import { openApi } from '../../../src/app/interface/openapi.ts';
import { operations } from '../../../src/app/interface/operations.ts';
import type { Json } from '../http/client.ts';

export type Schema = Json;

export type DocumentedOperation = {
  readonly operationId: string;
  /** In capitals. */
  readonly method: string;
  /** Without the base path: `/customers/{customerId}`. */
  readonly path: string;
  /** The names of the path's parameters. */
  readonly params: readonly string[];
  /** The schemas of the path's parameters, by name. */
  readonly paramSchemas: Readonly<Record<string, Schema>>;
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
  /** The schema of a JSON body, where the operation takes one. */
  readonly body: Schema | undefined;
  readonly bodyRequired: boolean;
  /** Takes multipart/form-data. */
  readonly takesForm: boolean;
  readonly responses: Readonly<Record<string, Json>>;
  readonly takesKey: boolean;
  /** Whose credentials it takes: `basic`, `bearer`; none when anyone may call it. */
  readonly schemes: readonly string[];
  readonly permission: readonly string[];
  readonly sandboxOnly: boolean;
};

export const openApiDocument: Json = openApi();

/** Follows a reference into the document. */
export function resolved(schema: Schema): Schema {
  if (typeof schema?.$ref !== 'string') return schema;
  const keys = schema.$ref.slice(2).split('/');
  return resolved(keys.reduce((at: Json, key: string) => at?.[key], openApiDocument));
}

/** Whether what it describes is an identifier, `<Type>:<uuid>`. */
export const isIdSchema = (schema: Schema): boolean => resolved(schema)?.pattern?.includes(':[0-9a-f]{8}-');

/** Every operation of the document. */
export const documented: readonly DocumentedOperation[] = Object.entries<Json>(openApiDocument.paths).flatMap(
  ([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => describe(path, method, operation)),
);

function describe(path: string, method: string, operation: Json): DocumentedOperation {
  const { operationId, requestBody, responses, security } = operation;
  const parameters: Json[] = operation.parameters ?? [];
  const source = operations.find((one) => one.operationId === operationId);
  return {
    operationId,
    method: method.toUpperCase(),
    path: path.slice(basePath.length),
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    paramSchemas: Object.fromEntries(
      parameters.filter((one) => one.in === 'path').map(({ name, schema }) => [name, schema]),
    ),
    query: parameters.filter((one) => one.in === 'query'),
    body: resolved(requestBody?.content?.['application/json']?.schema),
    bodyRequired: requestBody?.required ?? false,
    takesForm: requestBody?.content?.['multipart/form-data'] !== undefined,
    responses,
    takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    schemes: (security ?? openApiDocument.security).flatMap((one: object) => Object.keys(one)),
    permission: source?.permission ?? [],
    sandboxOnly: source?.sandboxOnly ?? false,
  };
}

/** The operations that a platform's credentials are for. */
export const takingBasic = documented.filter(({ schemes }) => schemes.includes('basic'));

/** `Row` for `it.each`: the operation's id in the title. */
export const titled = (chosen: readonly DocumentedOperation[]): [string, DocumentedOperation][] =>
  chosen.map((operation) => [operation.operationId, operation]);

/** The path with every parameter filled in. */
export const filled = (path: string, valueFor: (name: string) => string): string =>
  path.replace(/\{(\w+)\}/g, (_all, name) => valueFor(name));

/** Whether it answers with a list, of pages or whole. */
export const isList = ({ method, responses, params }: DocumentedOperation): boolean =>
  method === 'GET' &&
  params.length === 0 &&
  resolved(responses['200']?.content?.['application/json']?.schema)?.properties?.data !== undefined;
