/** Error statuses of operations, as endpoints.tsv has them. */

const everywhere = { 401: ['UNAUTHORIZED'], 403: ['FORBIDDEN'], 500: ['INTERNAL_ERROR'] };

/** The same for every operation with Bearer authentication; what a policy may forbid names its 403 itself. */
export const bearerErrors = (own: Readonly<Record<number, readonly string[]>> = {}) => ({
  401: ['UNAUTHORIZED'],
  500: ['INTERNAL_ERROR'],
  ...own,
});

/** An operation's own error codes, and those that every operation with Basic authentication has. */
export const basicErrors = (own: Readonly<Record<number, readonly string[]>> = {}) => ({
  ...everywhere,
  ...own,
});
