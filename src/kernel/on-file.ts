/** What was given of a person, as answers have it: a text may have been erased since. */
import { z } from 'zod';
import { invariant } from './invariant.ts';
import { erasedWord } from './personal.ts';

export const onFileText = `As it was given. Of an erased customer each text says \`${erasedWord}\`.`;

/** A named schema has one name more, wherever it is used. */
const known = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The schema of an answer, by that of a request: texts without what is asked of them, choices with the word for what was
 * erased. What says of which kind an object is stays as it is.
 */
export function onFile<T extends z.ZodType>(schema: T): T {
  const made = known.get(schema) ?? described(schema, loosened(schema));
  known.set(schema, made);
  return made as T;
}

function loosened(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject)
    return z.object(
      Object.fromEntries(
        Object.entries<z.ZodType>(schema.shape).map(([name, member]) => [name, onFile(member)]),
      ),
    );
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const [first, ...others] = schema.options.map((option) => onFile(option as z.ZodObject));
    invariant(first, 'a union of nothing');
    return z.discriminatedUnion(schema.def.discriminator, [first, ...others]);
  }
  if (schema instanceof z.ZodOptional) return onFile(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodArray) return z.array(onFile(schema.element as z.ZodType));
  if (schema instanceof z.ZodEnum) return z.enum([...schema.options.map(String), erasedWord]);
  if (schema instanceof z.ZodLiteral) return schema;
  const { type, format } = schema._zod.def as { readonly type: string; readonly format?: string };
  invariant(type === 'string', `${type} is no text`);
  return format === 'date' ? z.string().meta({ description: 'ISO 8601 date.' }) : z.string();
}

function described(from: z.ZodType, to: z.ZodType): z.ZodType {
  const { id, description, examples } = from.meta() ?? {};
  if (to === from || (id ?? description ?? examples) === undefined) return to;
  return to.meta({
    ...(id !== undefined && { id: `${id}OnFile`, description: onFileText }),
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
  });
}
