/**
 * A value as one line of a terminal shows it. What would move the cursor, colour what follows, begin a line or turn the
 * direction of writing stands there as its number: a name may have been written to look like another answer.
 */
export const printable = (value: string): string =>
  value.replaceAll(
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
