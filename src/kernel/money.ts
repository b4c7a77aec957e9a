/** An amount in minor units of its currency. Never a floating-point number. */
export type Money = { readonly minor: bigint; readonly currency: string };

/** The largest amount that the interface carries (int64). */
export const int64Max = 9_223_372_036_854_775_807n;

export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
