/** Where time comes from. Nothing else in the service reads the system clock. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
