/** Error statuses of operations, as endpoints.tsv has them. */
import type { Operation } from './operation.ts';

type Codes = Readonly<Record<number, readonly string[]>>;

const everywhere = { 401: ['UNAUTHORIZED'], 403: ['FORBIDDEN'], 500: ['INTERNAL_ERROR'] };

/** An operation's own error codes, and those that every operation with Basic authentication has. */
export const basicErrors = (own: Codes = {}) => ({
  ...everywhere,
  ...own,
});

/** Everything an operation may refuse with: its own codes, and what the reader of its body says. */
export function declaredErrors({ errors, body }: Pick<Operation, 'errors' | 'body'>): Codes {
  if (!body) return errors;
  const unreadable = 'INVALID_REQUEST_FORMAT';
  return { ...errors, 400: [...(errors[400] ?? []), unreadable], 413: [unreadable] };
}
