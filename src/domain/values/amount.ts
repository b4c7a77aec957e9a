/** The largest amount of one payment, in minor units: every client's numbers hold it exactly. */
export const largestPayment = 9_000_000_000_000_000n;
