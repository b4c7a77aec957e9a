/** Values made from a JSON Schema of the document: one that fits it, and all kinds that do not. */
import fc from 'fast-check';
import { resolved, type Schema } from './interface.ts';

export type Spoilt = { readonly value: unknown; readonly fields: readonly string[] };

const oneOfEach: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 7,
  number: 1.5,
  boolean: true,
  object: {},
  array: [],
  null: null,
};
const formats: Readonly<Record<string, string>> = {
  date: '2000-01-31',
  'date-time': '2026-11-02T09:00:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/hook',
};

/** The shapes that a value may have: those of a union, or the schema itself. */
function variantsOf(schema: Schema): Schema[] {
  const { oneOf, anyOf, properties } = resolved(schema);
  const variants: Schema[] | undefined = properties ? undefined : (oneOf ?? anyOf);
  return variants ? variants.flatMap(variantsOf) : [resolved(schema)];
}

/** A value that the schema allows: with no more than the required members, or with all that there are. */
export function validValue(schema: Schema, members: 'required' | 'all' = 'required'): unknown {
  const { type, properties = {}, required = [], items, minItems = 0, ...rest } = variantsOf(schema)[0];
  if (rest.const !== undefined) return rest.const;
  if (rest.enum) return rest.enum[0];
  if (rest.examples) return rest.examples[0];
  if (type === 'object') {
    const alternative = (rest.anyOf ?? rest.oneOf)?.[0]?.required ?? [];
    const least: string[] = [...new Set([...required, ...alternative])];
    const names = members === 'all' ? Object.keys(properties) : least;
    return Object.fromEntries(names.map((name) => [name, validValue(properties[name], members)]));
  }
  if (type === 'array') return Array.from({ length: minItems }, () => validValue(items, members));
  if (type === 'integer' || type === 'number') return rest.minimum ?? 1;
  if (type === 'boolean') return true;
  if (rest.format && formats[rest.format]) return formats[rest.format];
  if (rest.pattern) return matching(rest.pattern);
  return 'x'.repeat(Math.max(1, rest.minLength ?? 1));
}

/** Always the same one: it is long in the making, and the document has few patterns in many places. */
function matching(pattern: string): string | undefined {
  const known = matches.get(pattern);
  if (known !== undefined) return known;
  const [made] = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 });
  if (made !== undefined) matches.set(pattern, made);
  return made;
}

const matches = new Map<string, string>();

/** Values of which each breaks the schema in another way. */
export function wrongValues(schema: Schema): unknown[] {
  const variants = variantsOf(schema);
  const types = new Set(
    variants.flatMap(({ type, enum: values, const: only }) => type ?? typeof (only ?? values?.[0])),
  );
  if (types.has('undefined')) return [];
  if (types.has('number')) types.add('integer');
  const ofOtherType = Object.entries(oneOfEach).filter(([type]) => !types.has(type));
  const [only] = variants;
  return [...ofOtherType.map(([, value]) => value), ...(variants.length === 1 ? outOfBounds(only) : [])];
}

function outOfBounds({
  type,
  enum: values,
  pattern,
  minLength,
  maxLength,
  minimum,
  maximum,
  format,
}: Schema): unknown[] {
  return [
    ...(values ? ['NO_SUCH_VALUE'] : []),
    ...(pattern ? unmatched(pattern) : []),
    ...(minLength > 0 ? [''] : []),
    ...(maxLength !== undefined ? ['x'.repeat(maxLength + 1)] : []),
    ...(minimum !== undefined ? [BigInt(minimum) - 1n] : []),
    ...(maximum !== undefined ? [BigInt(maximum) + 1n] : []),
    ...(format === 'int64' ? [2n ** 63n] : []),
    ...(type === 'integer' ? [10n ** 299n, -(10n ** 299n)] : []),
  ];
}

const unmatched = (pattern: string): string[] =>
  ['~ no match ~', 'a\u0007b'].filter((text) => !new RegExp(pattern, 'u').test(text)).slice(0, 1);

/** Objects in which every member is wrong at once, each object in another way; with the paths of what is wrong. */
export function spoiltObjects(schema: Schema): Spoilt[] {
  return variantsOf(schema).flatMap((variant) => {
    const { properties = {} } = variant;
    const fixed = Object.entries<Schema>(properties).filter(([, member]) => member.const !== undefined);
    const tag = Object.fromEntries(fixed.map(([name, member]) => [name, member.const]));
    const members = Object.entries<Schema>(properties)
      .filter(([name]) => !(name in tag))
      .map(([name, member]) => [name, spoiltMembers(member)] as const)
      .filter(([, ways]) => ways.length > 0);
    const rounds = Math.max(0, ...members.map(([, ways]) => ways.length));
    return Array.from({ length: rounds }, (_, round) => spoilt(tag, members, round));
  });
}

function spoilt(tag: object, members: readonly (readonly [string, Spoilt[]])[], round: number): Spoilt {
  const chosen = members.map(([name, ways]) => [name, ways[round % ways.length]] as const);
  return {
    value: { ...tag, ...Object.fromEntries(chosen.map(([name, way]) => [name, way?.value])) },
    fields: chosen.flatMap(([name, way]) => (way?.fields ?? []).map((field) => under(name, field))),
  };
}

function spoiltMembers(schema: Schema): Spoilt[] {
  const wrong = wrongValues(schema).map((value) => ({ value, fields: [''] }));
  const { type, items, additionalProperties, discriminator, properties } = resolved(schema);
  if (type === 'array')
    return [...wrong, ...spoiltMembers(items).map((way) => wrapped('0', [way.value], way))];
  if (discriminator) wrong.push({ value: {}, fields: [discriminator.propertyName] });
  if (discriminator || properties) return [...wrong, ...spoiltObjects(schema)];
  if (typeof additionalProperties !== 'object') return wrong;
  return [
    ...wrong,
    ...spoiltMembers(additionalProperties).map((way) => wrapped('key', { key: way.value }, way)),
  ];
}

const wrapped = (name: string, value: unknown, { fields }: Spoilt): Spoilt => ({
  value,
  fields: fields.map((field) => under(name, field)),
});

const under = (name: string, field: string): string => (field ? `${name}.${field}` : name);

/** Texts that a query parameter must refuse. */
export function wrongQueryValues(schema: Schema): string[] {
  const { type, format, enum: values, pattern, minLength, maxLength, minimum, maximum } = resolved(schema);
  if (values) return ['NO_SUCH_VALUE', ''];
  if (format === 'date-time') return ['yesterday', '2026-02-30T00:00:00Z', '2026-11-02T25:00:00Z', ''];
  if (type === 'integer') {
    const bounds = [minimum, maximum].flatMap((bound, n) =>
      bound === undefined ? [] : [bound + (n ? 1 : -1)],
    );
    return ['abc', '1.5', '', '9'.repeat(300), ...bounds.map(String)];
  }
  return [
    '\u0000',
    ...(pattern ? unmatched(pattern) : []),
    ...(minLength > 0 ? [''] : []),
    ...(maxLength ? ['x'.repeat(maxLength + 1)] : []),
  ];
}
