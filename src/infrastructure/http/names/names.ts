/**
 * Which members of a value its schema does not know. Parsing drops them without a word; here they are found, so that
 * whoever misspelt one is told.
 */
import type { z } from 'zod';
import { nearestOf } from '../../../kernel/nearest.ts';

/** A member that nobody reads. `near` is the known one that may have been meant. */
export type Unknown = { readonly field: string; readonly near?: string };

/** The names that a schema knows, at every depth; nothing where it takes whatever there is. */
export type Names =
  | NamesOfObject
  | { readonly items: Names }
  | { readonly choices: readonly Names[] }
  | undefined;

type NamesOfObject = {
  readonly members: ReadonlyMap<string, Names>;
  /** The members that have one value only. */
  readonly fixed: ReadonlyMap<string, unknown>;
};

/** What one answer names; the others are not looked for. */
export const unknownMax = 50;

type Definition = z.core.$ZodTypeDef & {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly catchall?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly values?: readonly unknown[];
};

const made = new WeakMap<z.core.$ZodType, Names>();

/** Made once for each schema. */
export function namesOf(schema: z.core.$ZodType): Names {
  if (made.has(schema)) return made.get(schema);
  const names = readNames(schema._zod.def);
  made.set(schema, names);
  return names;
}

function readNames({ shape, catchall, innerType, in: entry, element, options }: Definition): Names {
  const within = innerType ?? entry;
  if (within) return namesOf(within);
  if (element) return listNames(namesOf(element));
  if (options) return choiceNames(options.map(namesOf));
  if (!shape || (catchall && catchall._zod.def.type !== 'never')) return undefined;
  const members = Object.entries(shape);
  return {
    members: new Map(members.map(([name, member]) => [name, namesOf(member)])),
    fixed: new Map(members.flatMap(([name, member]) => fixedValue(name, member._zod.def))),
  };
}

const fixedValue = (name: string, { type, values }: Definition): [string, unknown][] =>
  type === 'literal' && values?.length === 1 ? [[name, values[0]]] : [];

const listNames = (items: Names): Names => items && { items };

/** What takes anything beside texts and numbers takes any member. */
function choiceNames(choices: readonly Names[]): Names {
  const shaped = choices.filter((choice) => choice !== undefined);
  return shaped.length > 1 ? { choices: shaped } : shaped[0];
}

/** The members of the value that are not among the names, `unknownMax` at most. */
export function unknownIn(names: Names, value: unknown): Unknown[] {
  const found: Unknown[] = [];
  look(names, value, '', found);
  return found;
}

function look(names: Names, value: unknown, path: string, found: Unknown[]): void {
  if (!names || typeof value !== 'object' || value === null || found.length >= unknownMax) return;
  if ('choices' in names) look(chosen(names.choices, value), value, path, found);
  else if ('members' in names && !Array.isArray(value)) lookInObject(names, value, path, found);
  else if ('items' in names && Array.isArray(value)) {
    for (const [n, item] of value.entries()) look(names.items, item, `${path}${n}.`, found);
  }
}

function lookInObject({ members }: NamesOfObject, value: object, path: string, found: Unknown[]): void {
  for (const name of Object.keys(value)) {
    if (found.length >= unknownMax) return;
    if (members.has(name)) look(members.get(name), memberOf(value, name), `${path}${name}.`, found);
    else found.push(unknown(path, name, members.keys()));
  }
}

const memberOf = (value: object, name: string): unknown => value[name as keyof typeof value];

function unknown(path: string, name: string, known: Iterable<string>): Unknown {
  const near = nearestOf(name, known);
  // What has no name is shown by its quotation marks.
  return { field: `${path}${name || '""'}`, ...(near !== undefined && { near: `${path}${near}` }) };
}

/** The shape whose fixed members the value has; where none has, there is nothing to compare it with. */
const chosen = (choices: readonly Names[], value: object): Names =>
  choices.find(
    (choice) =>
      choice &&
      'fixed' in choice &&
      choice.fixed.entries().every(([name, only]) => memberOf(value, name) === only),
  );
