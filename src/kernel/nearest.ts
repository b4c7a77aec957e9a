/** Which known word somebody has meant who wrote one that is not known. */

/** Longer words are not compared: the time that it takes grows with the product of the lengths. */
const comparedMax = 64;

/**
 * The word that needs the fewest changes to become the one that was written: letters replaced, added or left out. Case,
 * hyphens and underscores do not count. Nothing where a third of the letters would have to change.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  if (written.length > comparedMax) return undefined;
  const plain = plainly(written);
  let found: string | undefined;
  let least = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const word of known) {
    const changes = changesBetween(plain, plainly(word));
    if (changes >= least) continue;
    least = changes;
    found = word;
  }
  return found;
}

const plainly = (word: string) => word.toLowerCase().replace(/[-_]/g, '');

/** The distance of Levenshtein. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === other[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
