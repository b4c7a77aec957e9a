/** Updates that name some of the fields: what is left out, or undefined, stays as it is. */

export type PartOf<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The whole with the fields of the part in place of its own. */
export const merge = <T extends object>(whole: T, part: PartOf<T>): T => ({
  ...whole,
  ...Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)),
});

/** The fields that are wanted and not so already. Values are compared as JSON. */
export function differences<T extends object>(current: object, wanted: PartOf<T>): Partial<T> {
  const known: Readonly<Record<string, unknown>> = { ...current };
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isSame(value, known[field]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
