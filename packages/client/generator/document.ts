/** What the client has to know of the OpenAPI document: operations, parameters, bodies, answers that are no refusals. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Response = { readonly description: string; readonly content?: Content };
type Schema = { readonly $ref?: string; readonly properties?: object };
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, Response>>;
};
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
type Schemas = Readonly<Record<string, Schema>>;

/** The interface lies under its version, which is part of the client's base address. */
const prefix = /^\/\d{4}-\d{2}-\d{2}(?=\/)/;
/** A repeat with the same of these does nothing twice. */
const keyHeaders = ['Idempotency-Key', 'Redemption-Key'];

const source = join(import.meta.dirname, '../../../docs/openapi.json');

const mapped = <From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));

/** The document without what the types do not show: refusals share one schema, and headers are read nowhere. */
export function reducedDocument() {
  const { openapi, info, paths, components } = JSON.parse(readFileSync(source, 'utf8'));
  const reduced = Object.entries(paths as Paths).map(
    ([path, item]) => [path.replace(prefix, ''), mapped(item, withoutRefusals)] as const,
  );
  return {
    openapi,
    info,
    paths: Object.fromEntries(reduced) as Paths,
    components: { schemas: components.schemas as Schemas },
  };
}

function withoutRefusals(operation: Operation): Operation {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const withoutHeaders = ({ description, content }: Response) => ({
    description,
    ...(content && { content }),
  });
  return { ...operation, responses: mapped(Object.fromEntries(successes), withoutHeaders) };
}

/** By operation: method, path, the header that makes a repeat harmless, and whether the answer is a page of a list, or a stream. */
export const routesOf = ({ paths, components }: ReturnType<typeof reducedDocument>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters = [], responses }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      key: keyHeaders.find((header) => parameters.some(({ name }) => name === header)),
      isStream: 'text/event-stream' in (responses['200']?.content ?? {}),
      isList: 'hasMore' in (answerOf(responses, components.schemas)?.properties ?? {}),
    })),
  );

/** The schema of the answer, which may stand elsewhere, under a name. */
function answerOf(responses: Operation['responses'], schemas: Schemas): Schema | undefined {
  const schema = responses['200']?.content?.['application/json']?.schema;
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? schema : schemas[name];
}

/** Of what the generated files are made from. */
export const hashOf = (document: unknown): string =>
  createHash('sha256').update(JSON.stringify(document)).digest('hex');
