/** Values for requests, made from the schemas of the OpenAPI document: such as fit, and such as nobody should send. */
import fc from 'fast-check';
import { printableAnywhere } from '../../src/domain/values/text.ts';
import { isIdSchema, resolved, type Schema } from '../support/interface/interface.ts';

/** Ids of what exists, by the pattern of their type. */
export type FindIds = (pattern: RegExp) => readonly string[];

const formats: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  date: fc.date({ min: new Date(0), noInvalidDate: true }).map((at) => at.toISOString().slice(-24, -14)),
  'date-time': fc
    .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
    .map((at) => at.toISOString()),
  email: fc.constantFrom('ada@example.com', 'a+b@x.example'),
  uri: fc.constantFrom('https://hook.invalid/a', 'http://127.0.0.1:9/hooks'),
};

/** Values that the schema allows. */
export function fitting(schema: Schema, findIds: FindIds): fc.Arbitrary<unknown> {
  const { type, properties, items, oneOf, anyOf, additionalProperties, ...rest } = resolved(schema) ?? {};
  const inner = (one: Schema) => fitting(one, findIds);
  if (rest.const !== undefined) return fc.constant(rest.const);
  if (rest.enum) return fc.constantFrom(...rest.enum);
  if (properties) return fc.record(eachOf(properties, inner), { requiredKeys: rest.required ?? [] });
  const variants: Schema[] | undefined = oneOf ?? anyOf;
  if (variants) return fc.oneof(...variants.map(inner));
  switch (type) {
    case 'string':
      return textOf(rest, findIds);
    case 'integer':
      return fc.bigInt({ min: whole(rest.minimum, 0), max: whole(rest.maximum, 10 ** 9) }).map(plain);
    case 'number':
      return fc.double({ min: rest.minimum ?? 0, max: rest.maximum ?? 1, noNaN: true });
    case 'array':
      return fc.array(inner(items), { minLength: rest.minItems ?? 0, maxLength: Math.min(rest.maxItems, 5) });
    case 'object':
      return additionalProperties
        ? fc.dictionary(fc.constantFrom('FULL_NAME', 'EMAIL', 'x'), inner(additionalProperties))
        : fc.constant({});
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

const eachOf = (
  properties: Readonly<Record<string, Schema>>,
  inner: (one: Schema) => fc.Arbitrary<unknown>,
) => Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, inner(member)]));

const whole = (bound: number | undefined, otherwise: number) => BigInt(bound ?? otherwise);
const plain = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

function textOf(schema: Schema, findIds: FindIds): fc.Arbitrary<string> {
  const { pattern, format, examples, minLength = 0, maxLength = 20 } = schema;
  const known = pattern && isIdSchema(schema) ? findIds(new RegExp(pattern)) : [];
  if (known.length > 0) return fc.constantFrom(...known);
  if (examples) return fc.constantFrom(...examples);
  const made = formats[format];
  if (made) return made as fc.Arbitrary<string>;
  // What only has no control characters.
  if (pattern && pattern !== printableAnywhere) return fc.stringMatching(new RegExp(pattern, 'u'));
  return fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, 40) });
}

const nested = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value };
  return value;
};

/** Texts that are hard to store, to show or to compare. */
export const oddTexts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\u0007',
    '\ud800',
    '\u202eevil',
    'ﷺ'.repeat(50),
    '👩‍👩‍👧‍👦',
    'İ',
    '__proto__',
    'constructor',
    "'; drop table events; --",
    '{{7*7}}',
    '../../etc/passwd',
    'NaN',
    '9'.repeat(400),
    'x'.repeat(3_000),
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);

/** What no member of a body should be. */
export const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  oddTexts,
  fc.constantFrom(null, true, [], {}, [null], 0, -0, -1, 0.5, 1e21, 2 ** 53, [[[[]]]]),
  fc.constantFrom(2n ** 63n, -(2n ** 63n) - 1n, 10n ** 300n, 10n ** 2_000n),
  fc.constantFrom(nested(20), nested(40), nested(500)),
  fc.integer({ min: 0, max: 20_000 }).map((length) => Array(length).fill('x')),
  fc.integer({ min: 0, max: 200_000 }).map((length) => 'x'.repeat(length)),
  fc
    .integer({ min: 0, max: 3_000 })
    .map((length) => Object.fromEntries(Array.from({ length }, (_, n) => [n, n]))),
  fc.constant({ toJSON: 1, n: Number.MAX_VALUE }),
  fc.constant(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}')),
  fc.jsonValue({ maxDepth: 4 }),
);

/** The value with something odd in one or two of its places. */
export const spoilt = (value: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.nat({ max: 40 }), oddValues), { minLength: 1, maxLength: 2 })
    .map((changes) => changes.reduce((now, [place, odd]) => replaced(now, place, odd), value));

/** Puts `odd` in the place of that number, counted through the members; instead of all where there are fewer. */
function replaced(value: unknown, place: number, odd: unknown): unknown {
  if (typeof value !== 'object' || value === null) return odd;
  const entries = Object.entries(value);
  const chosen = entries[place % (entries.length + 1)];
  if (!chosen) return Array.isArray(value) ? [...value, odd] : { ...value, [String(odd).slice(0, 100)]: odd };
  const [name, member] = chosen;
  const changed = replaced(member, Math.floor(place / (entries.length + 1)), odd);
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
}
