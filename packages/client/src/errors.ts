/** How a call ends that does not succeed: with a refusal of the service, or without any answer. */
import type { components } from './generated/types.ts';

/** A service that is newer than this client may have further codes. */
type Refusal = Omit<components['schemas']['Error'], 'code'> & { readonly code: string };

/** What the service answered in place of what was asked for. `code` is one of docs/reference/errors.md, or a newer one. */
export class DaybookError extends Error {
  override readonly name = 'DaybookError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The `X-Request-Id` of the answer, which the service's log has too. */
  readonly requestId: string | undefined;

  constructor(response: Response, { code, message, details }: Pick<Refusal, 'code' | 'message' | 'details'>) {
    super(`${response.status} ${code}: ${[message, ...reasonsIn(details, message)].join(' ')}`);
    this.status = response.status;
    this.code = code;
    this.details = details;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
  }
}

const reasonsMax = 5;

/** Why fields were refused, where `message` only names them: what shows an error shows no `details`. */
function reasonsIn(details: Refusal['details'], said: string): readonly string[] {
  const errors: readonly unknown[] = Array.isArray(details?.errors) ? details.errors : [];
  return errors
    .filter(isFieldError)
    .filter(({ message }) => !said.includes(message))
    .slice(0, reasonsMax)
    .map(({ field, message }) => `${field} ${message}.`);
}

type FieldError = { readonly field: string; readonly message: string };
const isFieldError = (error: unknown): error is FieldError =>
  typeof error === 'object' &&
  error !== null &&
  'field' in error &&
  'message' in error &&
  typeof error.message === 'string';

/** No answer came: whether the service has done what was asked is not known. The reason is `cause`. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The refusal that an answer carries; an answer of something between client and service has no code of its own. */
export function refusalOf(response: Response, body: unknown): DaybookError {
  if (isRefusal(body)) return new DaybookError(response, body);
  const text = typeof body === 'string' && body !== '' ? body.slice(0, 200) : response.statusText;
  const place = response.headers.get('location');
  return new DaybookError(response, {
    code: 'UNKNOWN',
    message: place === null ? text : `${text}, to ${place}`,
  });
}

const isRefusal = (body: unknown): body is Refusal =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body;
