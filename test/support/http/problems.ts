import type { Answer, Json } from './client.ts';

const members = new Set(['status', 'code', 'message', 'details', 'reason']);

/** The error that an answer carries, after checking that it has the form of all errors: docs/reference/errors.md. */
export function problemOf(answer: Answer): Json {
  const { status, body, headers } = answer;
  const isProblem =
    status >= 400 &&
    body?.status === status &&
    /^[A-Z_]+$/.test(body.code) &&
    typeof body.message === 'string' &&
    body.message.length > 0 &&
    Object.keys(body).every((member) => members.has(member));
  if (!isProblem) throw new Error(`not an error body: ${status} ${show(body)}`);
  const foreign = (body.details?.errors ?? []).filter(({ message }: Json) => !isOurs(message));
  if (foreign.length > 0) throw new Error(`not our words: ${show(foreign)}`);
  if (!headers.get('x-request-id')) throw new Error(`an error without a request id: ${show(body)}`);
  return body;
}

/** What is said of a field goes on from its name, and is nothing that a library says: `must be a text`. */
export const isOurs = (message: string): boolean =>
  /^[a-z]/.test(message) &&
  !/invalid|expected|received|unrecognized|too (?:small|big|long|short)|undefined|NaN/i.test(message);

/** The same, when it is the expected one. */
export function expectProblem(answer: Answer, status: number, code?: string): Json {
  if (answer.status !== status || (code !== undefined && answer.body?.code !== code))
    throw new Error(`expected ${status} ${code ?? ''}, got ${answer.status}: ${show(answer.body)}`);
  return problemOf(answer);
}

/** The fields that an error names, in order. */
export const namedFields = (problem: Json): string[] =>
  (problem.details?.errors ?? []).map(({ field }: { field: string }) => field).sort();

const show = (value: unknown): string =>
  `${JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? `${member}` : member))}`.slice(
    0,
    500,
  );
