/** Moments as people read them: by the clock of their machine, with UTC beside it. */

const two = (n: number) => String(n).padStart(2, '0');

const dayOf = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
const clockOf = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;

export const localOf = (iso: string): string => {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${dayOf(at)} ${clockOf(at)}`;
};

/** What an input of the type `datetime-local` takes and gives. */
export const inputOf = (at: Date): string => `${dayOf(at)}T${clockOf(at)}`;

/** Nothing for a moment that is not there. */
export const isoOf = (input: string): string | undefined => {
  const at = new Date(input);
  return input === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

/** The first or the last moment of a day of their machine's clock; what is no day, as it stands. */
export const momentOf = (day: string, isLast = false): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) ? (isoOf(`${day}T${isLast ? '23:59:59.999' : '00:00:00'}`) ?? day) : day;

/** As long as people say it: the largest unit, and the one below. */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
