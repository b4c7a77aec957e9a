/** The years that ISO 8601 writes with four digits and that Postgres has: 1 to 9999. */
export const firstYear = '0001';

const first = Date.parse(`${firstYear}-01-01T00:00:00.000Z`);
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** Its day, in UTC: `2026-11-02`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Whether a moment is in one of these years, in UTC. An invalid one is not. */
export const isOfCalendar = (moment: Date): boolean => moment.getTime() >= first && moment.getTime() <= last;
