/** The words that schemas have: what they take or show of a list of their own, whichever field it stands in. */
import type { z } from 'zod';

/** Every text that an enumeration or a literal of the schemas has, at every depth. */
export const wordsOf = (schemas: readonly (z.core.$ZodType | undefined)[]): ReadonlySet<string> =>
  new Set(wordsIn(schemas, new Set()));

type Definition = z.core.$ZodTypeDef & {
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  readonly getter?: () => unknown;
};

/** `part` is a schema, or something of the definition of one, as its members and its choices are. */
function* wordsIn(part: unknown, seen: Set<object>): Generator<string> {
  if (typeof part !== 'object' || part === null || seen.has(part)) return;
  seen.add(part);
  if (!('_zod' in part)) {
    for (const one of Object.values(part)) yield* wordsIn(one, seen);
    return;
  }
  const definition: Definition = (part as z.core.$ZodType)._zod.def;
  const { type, entries = {}, values = [], getter } = definition;
  for (const word of [...Object.values(entries), ...values]) if (typeof word === 'string') yield word;
  yield* wordsIn(type === 'lazy' ? getter?.() : Object.values(definition), seen);
}
