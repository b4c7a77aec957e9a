/** How large what a request carries may be, read from the OpenAPI document: every value, with its bound. */
import { z } from 'zod';
import { int64Max } from '../../../kernel/money.ts';

const count = z.number().optional();

type Schema = z.output<typeof schema>;
const schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: count,
  maxLength: count,
  minimum: count,
  maximum: count,
  exclusiveMaximum: count,
  maxItems: count,
  maxProperties: count,
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get propertyNames() {
    return schema.optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
});

const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema })).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema })) }).optional(),
});
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema).default({}) }),
});

/** One value of a request. `bound` says what it is held to, and is missing where nothing holds it. */
export type Bounded = { readonly path: string; readonly bound: string | undefined };

export type RequestBounds = {
  /** What each operation takes; a named schema stands there by its name. */
  readonly operations: readonly { readonly operationId: string; readonly values: readonly Bounded[] }[];
  /** The named schemas that requests use. */
  readonly schemas: readonly { readonly name: string; readonly values: readonly Bounded[] }[];
};

/** Throws for what is no OpenAPI document. */
export function boundsOfRequests(openApi: unknown): RequestBounds {
  const { paths, components } = document.parse(openApi);
  const used = new Set<string>();
  const walk = { named: components.schemas, used };
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, parameters, requestBody }) => {
      const bodies = Object.values(requestBody?.content ?? {});
      const values = [
        ...parameters.flatMap((one) => boundsIn(one.schema, `${one.in}: ${one.name}`, walk)),
        ...bodies.flatMap((one) => boundsIn(one.schema, 'body', walk)),
      ];
      return { operationId, values };
    });
  // A schema that is found here names further ones, which a set visits as well.
  const schemas: { name: string; values: readonly Bounded[] }[] = [];
  for (const name of used) {
    const named = components.schemas[name];
    if (named) schemas.push({ name, values: boundsIn(named, '', walk) });
  }
  return { operations, schemas };
}

/** The named schemas, and those that were met. */
type Walk = { readonly named: Readonly<Record<string, Schema>>; readonly used: Set<string> };

const refPrefix = '#/components/schemas/';

function boundsIn(of: Schema, path: string, walk: Walk): Bounded[] {
  if (of.$ref?.startsWith(refPrefix)) {
    const name = of.$ref.slice(refPrefix.length);
    const { enum: values } = walk.named[name] ?? {};
    if (values) return boundsIn({ enum: values }, path, walk);
    walk.used.add(name);
    return [{ path, bound: `see ${name}` }];
  }
  if (of.enum) return [{ path, bound: `one of ${of.enum.length}` }];
  if (of.const !== undefined) return [{ path, bound: 'fixed' }];
  const variants = (of.anyOf ?? of.oneOf ?? []).filter(isShape);
  if (variants.length > 0) return uniquely(variants.flatMap((variant) => boundsIn(variant, path, walk)));
  return ofType(of, path, walk);
}

/** Not only a rule about members that are listed beside it. */
const isShape = ({ type, $ref, enum: values, const: only, anyOf, oneOf }: Schema): boolean =>
  [type, $ref, values, only, anyOf, oneOf].some((given) => given !== undefined);

function ofType(of: Schema, path: string, walk: Walk): Bounded[] {
  switch (of.type) {
    case 'boolean':
      return [{ path, bound: 'true or false' }];
    case 'null':
      return [];
    case 'string':
      return [{ path, bound: ofText(of) }];
    case 'integer':
    case 'number':
      return [{ path, bound: ofNumber(of) }];
    case 'array': {
      const bound = of.maxItems === undefined ? undefined : `${of.maxItems} entries`;
      return [{ path, bound }, ...(of.items ? boundsIn(of.items, `${path}[]`, walk) : unbounded(path))];
    }
    case 'object':
      return ofObject(of, path, walk);
    default:
      return unbounded(path);
  }
}

function ofObject(of: Schema, path: string, walk: Walk): Bounded[] {
  const members = Object.entries(of.properties ?? {}).flatMap(([name, member]) =>
    boundsIn(member, path ? `${path}.${name}` : name, walk),
  );
  if (typeof of.additionalProperties !== 'object') return members;
  const bound = of.maxProperties === undefined ? undefined : `${of.maxProperties} members`;
  return [
    ...members,
    { path, bound },
    ...(of.propertyNames
      ? boundsIn(of.propertyNames, `${path} (names)`, walk)
      : unbounded(`${path} (names)`)),
    ...boundsIn(of.additionalProperties, `${path}.*`, walk),
  ];
}

const unbounded = (path: string): Bounded[] => [{ path, bound: undefined }];

function ofText({ maxLength, pattern, format }: Schema): string | undefined {
  if (maxLength !== undefined) return `${maxLength} characters`;
  if (format === 'date') return '10 characters';
  return pattern !== undefined && isBounded(pattern) ? 'by pattern' : undefined;
}

function ofNumber({ minimum, maximum, exclusiveMaximum, format }: Schema): string | undefined {
  if (minimum === undefined) return undefined;
  if (maximum !== undefined) return `${minimum} to ${maximum}`;
  if (exclusiveMaximum !== undefined) return `${minimum} to below ${exclusiveMaximum}`;
  return format === 'int64' ? `${minimum} to ${int64Max}` : undefined;
}

/** Whether only texts up to some length match: the pattern is anchored and repeats nothing without end. */
export function isBounded(pattern: string): boolean {
  const bare = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  if (!bare.startsWith('^') || !bare.endsWith('$')) return false;
  let depth = 0;
  for (const char of bare) {
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === '|' && depth === 0) return false;
  }
  return !/[*+]|\{\d+,\}/.test(bare);
}

/** The variants of a union often say the same. */
const uniquely = (values: readonly Bounded[]): Bounded[] => [
  ...new Map(values.map((value) => [`${value.path} ${value.bound}`, value])).values(),
];
