/** Where time comes from. A running service's is that of its installation (src/infrastructure/clock/). */
export type Clock = { now(): Date };

export const dayMs = 86_400_000;

/** So many days of 24 hours after a moment, or before it. */
export const daysAfter = (moment: Date, days: number): Date => new Date(moment.getTime() + days * dayMs);

/** Of the host, for what stands alone. */
export const systemClock: Clock = { now: () => new Date() };
