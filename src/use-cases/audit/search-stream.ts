/**
 * The first revision, `from` (at least 1) or later, of which `holds` is not true, where it is true of all before it and of
 * none after it. A log is read forwards: so it is asked for single events, few however long the stream is.
 */
export async function firstWhereNot(
  from: number,
  holds: (revision: number) => Promise<boolean>,
): Promise<number> {
  let [first, last] = [from, 2 * from];
  while (await holds(last)) [first, last] = [last + 1, 2 * last];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (await holds(middle)) first = middle + 1;
    else last = middle;
  }
  return first;
}
