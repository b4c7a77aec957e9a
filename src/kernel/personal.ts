/**
 * Personal data in events: which texts they are, by what the schema marks, and taking them out of the stored form. What is
 * taken out leaves a word in its place, so that the rest can be read, and checked, without it.
 */
import type { z } from 'zod';
import { isObject } from './json.ts';

/** Stands where a text was taken out. */
export const sealedWord = 'sealed';
/** Stands there where nobody can read it any more, and a text is needed. */
export const erasedWord = 'erased';

/** Where a schema marks something as personal: the names on the way, `*` for each element, or each entry. */
export type PersonalPath = { readonly path: readonly string[]; readonly isOptional: boolean };

/** What tells the kinds of an object apart says nothing of a person. */
export const plainNames: ReadonlySet<string> = new Set(['kind', 'type', 'accountType', 'beneficiaryType']);

const known = new WeakMap<z.ZodType, readonly PersonalPath[]>();

/** Of the stored form. */
export function personalPathsOf(schema: z.ZodType): readonly PersonalPath[] {
  const before = known.get(schema);
  if (before) return before;
  const paths = inOrder(pathsIn(schema, false));
  known.set(schema, paths);
  return paths;
}

/** Each once, in an order that does not change with the order of the schema. */
function inOrder(paths: readonly PersonalPath[]): readonly PersonalPath[] {
  const byName = new Map(paths.map((one) => [JSON.stringify(one.path), one]));
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

type Definition = {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly in?: z.ZodType;
};

const below = (name: string, schema: z.ZodType | undefined): readonly PersonalPath[] =>
  schema ? pathsIn(schema, false).map(({ path, isOptional }) => ({ path: [name, ...path], isOptional })) : [];

function pathsIn(schema: z.ZodType, isOptional: boolean): readonly PersonalPath[] {
  if (schema.meta()?.personalData) return [{ path: [], isOptional }];
  const {
    type,
    innerType,
    shape,
    element,
    valueType,
    options,
    in: input,
  } = schema._zod.def as unknown as Definition;
  if (innerType) return pathsIn(innerType, isOptional || type === 'optional');
  if (shape) return Object.entries(shape).flatMap(([name, one]) => below(name, one));
  if (element ?? valueType) return below('*', element ?? valueType);
  if (options) return options.flatMap((one) => pathsIn(one, isOptional));
  return input ? pathsIn(input, isOptional) : [];
}

/** What stands in the place of a text. */
type Change = (text: string, at: readonly string[]) => string;

/** Each text at the path, in place of which stands what `change` makes of it; copies what it changes. `at` is as deep. */
function changing(value: unknown, path: readonly string[], change: Change, at: readonly string[]): unknown {
  const name = path[at.length];
  if (name === undefined) return changingAll(value, change, at);
  if (!isObject(value)) return value;
  if (Array.isArray(value))
    return name === '*' ? value.map((one, n) => changing(one, path, change, [...at, String(n)])) : value;
  if (name !== '*' && !(name in value)) return value;
  const names = name === '*' ? Object.keys(value).toSorted() : [name];
  if (names.length === 0) return value;
  const copy = { ...value };
  for (const one of names) copy[one] = changing(value[one], path, change, [...at, one]);
  return copy;
}

function changingAll(value: unknown, change: Change, at: readonly string[]): unknown {
  if (typeof value === 'string') return change(value, at);
  if (Array.isArray(value)) return value.map((one, n) => changingAll(one, change, [...at, String(n)]));
  if (!isObject(value)) return value;
  const copy = { ...value };
  for (const name of Object.keys(value).toSorted())
    if (!plainNames.has(name)) copy[name] = changingAll(value[name], change, [...at, name]);
  return copy;
}

/** Texts that stand, or have stood, in data, each with the names on the way to it. */
export type Taken = { readonly texts: readonly string[]; readonly places: readonly string[] };

const nameOf = (at: readonly string[]): string => at.join('.');

/** The data without personal texts, and these, in an order that follows from the data and the schema. */
export function takeOut<Data extends object>(
  data: Data,
  paths: readonly PersonalPath[],
): Taken & { readonly data: Data } {
  const texts: string[] = [];
  const places: string[] = [];
  let rest: unknown = data;
  for (const { path } of paths)
    rest = changing(
      rest,
      path,
      (text, at) => {
        texts.push(text);
        places.push(nameOf(at));
        return sealedWord;
      },
      [],
    );
  return { data: rest as Data, texts, places };
}

/** Whether there is anything to take out: nothing is copied for it. */
export const hasTexts = (data: object, paths: readonly PersonalPath[]): boolean =>
  paths.some(({ path }) => hasTextAt(data, path, 0));

function hasTextAt(value: unknown, path: readonly string[], depth: number): boolean {
  const name = path[depth];
  if (name === undefined) return hasAnyText(value);
  if (!isObject(value)) return false;
  if (name !== '*') return hasTextAt(value[name], path, depth + 1);
  return Object.values(value).some((one) => hasTextAt(one, path, depth + 1));
}

function hasAnyText(value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (Array.isArray(value)) return value.some(hasAnyText);
  return (
    isObject(value) && Object.keys(value).some((name) => !plainNames.has(name) && hasAnyText(value[name]))
  );
}

/** Where texts were taken out, in the order in which they are. */
export function placesIn(data: object, paths: readonly PersonalPath[]): readonly string[] {
  const { texts, places } = takeOut(data, paths);
  return places.filter((_place, n) => texts[n] === sealedWord);
}

/** The data with the texts that were taken out. */
export function putBack<Data extends object>(
  data: Data,
  paths: readonly PersonalPath[],
  texts: readonly string[],
): Data {
  let [rest, n]: [unknown, number] = [data, 0];
  const back: Change = (text) => (text === sealedWord ? (texts[n++] ?? erasedWord) : text);
  for (const { path } of paths) rest = changing(rest, path, back, []);
  return rest as Data;
}

/** The data as they are once nobody can read what was taken out: what may be missing is. */
export function erased<Data extends object>(data: Data, paths: readonly PersonalPath[]): Data {
  let rest: unknown = data;
  for (const { path, isOptional } of paths) {
    let isGone = false;
    const erase: Change = (text) => {
      isGone ||= text === sealedWord;
      return text === sealedWord ? erasedWord : text;
    };
    const changed = changing(rest, path, erase, []);
    rest = isGone && isOptional && !path.includes('*') ? without(changed, path) : changed;
  }
  return rest as Data;
}

function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isObject(value)) return value;
  const copy = { ...value };
  if (rest.length === 0) delete copy[name];
  else copy[name] = without(value[name], rest);
  return copy;
}

const anyId = /^[A-Z][A-Za-z]+:[0-9a-f-]{36}$/;

export const isAnyId = (text: string): boolean => anyId.test(text);

/** The ids that data have: their own, and those of what they name. */
export function mentionedIn(data: object, depth = 3): readonly string[] {
  return Object.values(data).flatMap((value) => {
    if (typeof value === 'string') return isAnyId(value) ? [value] : [];
    return isObject(value) && depth > 0 ? mentionedIn(value, depth - 1) : [];
  });
}
