/** JSON that keeps every digit of its integers. */

declare global {
  interface JSON {
    /** Text that `stringify` writes as it is. */
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/**
 * An integer that a number does not hold becomes a `bigint`. Throws `RangeError` in a browser that does not tell the text
 * of a number: an amount is right, or it is not read.
 */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, (key, value, context) => {
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    if (context?.source === undefined || !/^-?\d+$/.test(context.source))
      throw new RangeError(`${key} is beyond ${Number.MAX_SAFE_INTEGER}, up to which this browser is exact`);
    return BigInt(context.source);
  });

/** The other way. */
export const jsonOf = (value: unknown, spaces?: number): string | undefined =>
  JSON.stringify(
    value,
    (_, member) => (typeof member === 'bigint' ? JSON.rawJSON(`${member}`) : member),
    spaces,
  );
