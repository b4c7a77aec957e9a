/** What keeps the service from starting. Its text is for the operator: the variable, what was tried, and what to do; in one line. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}

type Refusal = {
  /** The environment variable that has to change, or that what has to change is named in. */
  readonly variable: string;
  readonly tried: string;
  readonly next: string;
  readonly cause?: unknown;
};

export const cannotStart = ({ variable, tried, next, cause }: Refusal): CannotStart =>
  new CannotStart(`${variable}: ${oneLine(tried)}. ${next}.`, { cause });

const oneLine = (text: string) =>
  text
    .trim()
    .replaceAll(/\.?\s*\n\s*/g, '; ')
    .replace(/\.$/, '');

/** What Postgres says of whoever lacks a right. */
export const insufficientPrivilege = '42501';

/** What an error says, with what it comes from. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause, name } = error;
  const own = message || name;
  return cause instanceof Error && cause.message ? `${own.replace(/\.$/, '')}: ${cause.message}` : own;
}
