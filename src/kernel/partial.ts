/** Updates that name some of the fields: what is left out, or undefined, stays as it is. */

export type PartOf<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Null takes back what the whole can be without. */
export type ChangesOf<T> = {
  readonly [K in keyof T]?: T[K] | undefined | (undefined extends T[K] ? null : never);
};

/** Without the fields that are undefined. */
export const defined = <T extends object>(part: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as never;

/** The whole with the fields of the part in place of its own. */
export const merge = <T extends object>(whole: T, part: PartOf<T>): T => ({ ...whole, ...defined(part) });

/** The whole with the changes, without the fields that they take back. */
export const applied = <T extends object>(whole: T, changes: ChangesOf<T>): T =>
  Object.fromEntries(
    Object.entries(merge<object>(whole, changes)).filter(([, value]) => value !== null),
  ) as T;

/** The fields that are wanted and not so already. Values are compared as JSON. */
export function differences<T extends object>(current: object, wanted: PartOf<T>): Partial<T> {
  const known: Readonly<Record<string, unknown>> = { ...current };
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isSame(value, known[field]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
