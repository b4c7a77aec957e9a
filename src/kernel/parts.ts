/** A list in parts of at most so many, in its order. */
export const inParts = <Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, n) => items.slice(n * most, (n + 1) * most));
