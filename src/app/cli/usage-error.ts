/** The command line is not one that there is. */
export class UsageError extends Error {
  override name = 'UsageError';
}
