/** Arrays as Postgres reads them. `pg` looks through each element twice and copies it each time. */

export type Element = string | number | bigint | boolean | null | undefined;

/** Needs no quotation marks, and is not the word NULL, which would be none. */
const plain = /^(?!null$)[\w:.+-]+$/i;
const escaped = /["\\]/g;

function written(element: Element): string {
  if (element === null || element === undefined) return 'NULL';
  if (typeof element !== 'string') return String(element);
  return plain.test(element) ? element : `"${element.replace(escaped, '\\$&')}"`;
}

/** The value of a parameter that is an array. */
export function arrayText(elements: readonly Element[]): string {
  let text = '';
  for (const element of elements) text += text === '' ? written(element) : `,${written(element)}`;
  return `{${text}}`;
}
