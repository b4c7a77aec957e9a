/** A bug, not a refusal: the request ends in a 500 and the message goes to the log only. */
export class InvariantViolation extends Error {
  override name = 'InvariantViolation';
}

/** States what must be true whatever callers do. Throws `InvariantViolation` when it is not. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}
