/** What arguments of commands say. Each throws, with how it is written, for a text that says nothing of the kind. */
import { InvalidArgumentError } from 'commander';

/** A time by a clock is told exactly. */
export function exactTime(text: string): Date {
  const time = new Date(text);
  const isExact = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (isExact && !Number.isNaN(time.getTime()) && isInCalendar(text.slice(0, 10))) return time;
  throw new InvalidArgumentError('A time is like 2026-11-02T09:00:00Z.');
}

export type Moment = { readonly first: Date; readonly last: Date };

const aTime = 'A time is like 2026-11-02T09:00:00Z, a day like 2026-11-02.';

/** `Date` takes the 31st of April to be the 1st of May. */
function isInCalendar(day: string): boolean {
  const date = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** A time, or a day, which is all of it, in UTC. */
export function moment(text: string): Moment {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const first = new Date(isDay ? `${text}T00:00:00.000Z` : text);
  if ((!isDay && !isTime) || !isInCalendar(text.slice(0, 10)) || Number.isNaN(first.getTime()))
    throw new InvalidArgumentError(aTime);
  return { first, last: isDay ? new Date(`${text}T23:59:59.999Z`) : first };
}

const isPosition = (text: string): boolean => /^\d{1,19}$/.test(text);

export const momentOrPosition = (text: string): Moment | bigint =>
  isPosition(text) ? BigInt(text) : moment(text);

export function position(text: string): bigint {
  if (isPosition(text)) return BigInt(text);
  throw new InvalidArgumentError('A position is a whole number.');
}

/** A name, its key id, and the algorithm with 32 bytes of Ed25519 in base64 (C2SP signed note). */
export function logKey(text: string): string {
  if (/^.+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'A key is like daybook/0199…+c74f20a3+ARpc…, and is printed with checkpoints.',
  );
}

/** Of a role of Postgres. */
export function roleName(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text) && !text.startsWith('pg_')) return text;
  throw new InvalidArgumentError('A name is of small letters, digits and _, and begins with a letter.');
}

/** As text, as it is passed on. */
export function natural(text: string): string {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  throw new InvalidArgumentError('A whole number above zero is needed.');
}
