import type { Operation } from './operation.ts';

/** What a request has been found to be, kept for the log line. */
export type Locals = {
  requestId: string;
  operationId?: string;
  /** That of the operation, below the base path, with ids and without codes. */
  path?: string;
  platformId?: string;
  authentication?: Operation['authentication'];
  actor?: string;
  /** Whether a repeat with the same Idempotency-Key does nothing again. */
  takesKey?: boolean;
  /** The text of the answer. */
  answer?: string;
};
