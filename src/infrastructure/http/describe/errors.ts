/** Which errors operations declare. */
import type { Operation } from '../operation.ts';

type Codes = Readonly<Record<number, readonly string[]>>;

const everywhere = { 401: ['UNAUTHORIZED'], 403: ['FORBIDDEN'], 500: ['INTERNAL_ERROR'] };

/** The same for every operation with Bearer authentication; what a policy may forbid names its 403 itself. */
export const bearerErrors = (own: Readonly<Record<number, readonly string[]>> = {}) => ({
  401: ['UNAUTHORIZED'],
  500: ['INTERNAL_ERROR'],
  ...own,
});

/** An operation's own error codes, and those that every operation with Basic authentication has. */
export const basicErrors = (own: Codes = {}) => ({
  ...everywhere,
  ...own,
});

type Refusing = Pick<Operation, 'errors' | 'params' | 'body' | 'authentication' | 'idempotent'>;

/**
 * Everything an operation may refuse with: its own codes, and what stands before it: limits, the key, reading the path,
 * and reading the body.
 */
export function declaredErrors({ errors, params, body, authentication, idempotent }: Refusing): Codes {
  const own = idempotent ? withCode(errors, 409, 'IDEMPOTENCY_KEY_REUSED') : errors;
  const available = withCode(own, 503, 'SERVICE_UNAVAILABLE');
  const found = params ? withCode(available, 404, 'REFERENCE_NOT_FOUND') : available;
  const read = withCode(found, 400, 'INVALID_INPUT');
  const limited = authentication === 'none' ? read : withCode(read, 429, 'RATE_LIMITED');
  if (!body) return limited;
  const unreadable = 'INVALID_REQUEST_FORMAT';
  return withCode(withCode(limited, 400, unreadable), 413, unreadable);
}

const withCode = (codes: Codes, status: number, code: string): Codes => ({
  ...codes,
  [status]: [...new Set([...(codes[status] ?? []), code])],
});
