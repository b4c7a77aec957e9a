/** Which known name was meant by one that is not known. */

/** One edit in so many letters is taken for a slip; more are another word. */
const lettersPerSlip = 4;
/** Longer names are not compared: the time that it takes grows with the product of the lengths. */
const comparedMax = 64;

/** The known name that differs from this one by slips only, or by case and what is no letter or digit; `undefined` where none does. */
export function nearestOf(name: string, known: Iterable<string>): string | undefined {
  if (name.length > comparedMax) return undefined;
  const plain = plainly(name);
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(plain.length / lettersPerSlip)) + 1;
  for (const candidate of known) {
    const edits = editsBetween(plain, plainly(candidate));
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = candidate;
  }
  return nearest;
}

const plainly = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** How many letters are put in, left out, changed, or swapped with the next one. */
function editsBetween(one: string, other: string): number {
  let twoBefore: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const changed = Number(one[row - 1] !== other[column - 1]);
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(before, column) + 1,
        at(current, column - 1) + 1,
        at(before, column - 1) + changed,
        isSwap ? at(twoBefore, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [twoBefore, before] = [before, current];
  }
  return at(before, other.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
