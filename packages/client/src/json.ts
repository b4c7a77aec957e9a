/** JSON whose amounts are exact. */

/** Throws `RangeError` for an integer that JavaScript's numbers do not hold: an amount is right, or it is not read. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (key, value) => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw new RangeError(`${key} is beyond ${Number.MAX_SAFE_INTEGER}, up to which numbers are exact`);
    return value;
  });
