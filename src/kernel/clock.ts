/** Where time comes from. A running service's is that of its installation (src/infrastructure/clock/). */
export type Clock = { now(): Date };

/** Of the host, for what stands alone. */
export const systemClock: Clock = { now: () => new Date() };
