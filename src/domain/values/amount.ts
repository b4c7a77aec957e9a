/** The largest amount that a quote may lock, in minor units: every client's numbers hold it exactly. */
export const largestPayment = 9_000_000_000_000_000n;
