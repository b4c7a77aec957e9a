/** Calls of the service to others, in the OpenAPI document. */
import type { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

export type DocumentedWebhook = {
  readonly summary: string;
  /** Of the body; it has a name. */
  readonly schema: z.ZodType;
  /** Beside those of every webhook: what an answer means, and the name of the schema of its body. */
  readonly answers?: Readonly<Record<number, { readonly description: string; readonly body?: string }>>;
};

export type Webhooks = {
  readonly tag: string;
  /** By operationId. */
  readonly calls: Readonly<Record<string, DocumentedWebhook>>;
  readonly headers: z.ZodObject;
  /** What an answer means, by status. */
  readonly answers: Readonly<Record<number, string>>;
  /** Of the body of any of them, by their names. */
  readonly schema: z.ZodType;
};

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` as const });
const json = (name: string) => ({ content: { 'application/json': { schema: reference(name) } } });
const nameOf = (schema: z.ZodType): string => schema.meta()?.id ?? '';

export function webhookObjects({ tag, calls, headers, answers }: Webhooks): ZodOpenApiPathsObject {
  const objects = Object.entries(calls).map(([operationId, { summary, schema, answers: own = {} }]) => {
    const usual = Object.entries(answers).map(([status, description]) => [status, { description }] as const);
    const decisive = Object.entries(own).map(
      ([status, { description, body }]) => [status, { description, ...(body && json(body)) }] as const,
    );
    const post = {
      operationId,
      tags: [tag],
      summary,
      security: [],
      requestParams: { header: headers },
      requestBody: { required: true, ...json(nameOf(schema)) },
      responses: Object.fromEntries([...usual, ...decisive]),
    };
    return [operationId, { post }] as const;
  });
  return Object.fromEntries(objects);
}

/** A path that answers what the service sends: bodies of requests would be described as what it takes. */
export const asAnswer = ({ schema }: Webhooks): ZodOpenApiPathsObject[string] => ({
  get: { responses: { 200: { description: '', content: { 'application/json': { schema } } } } },
});
