/** From a refusal to its answer. Which status a code has is the interface's to say. */
import { z } from 'zod';
import { Rejected } from '../../kernel/rejected.ts';
import { RequestLate } from '../away.ts';
import { WrongRevision } from '../event-store/event-store.ts';
import { isStoreAway } from '../postgres/away.ts';
import { TooLarge } from './doors/body.ts';

export const errorBody = z.object({
  status: z.int().min(400).max(599),
  code: z.string(),
  message: z.string(),
  reason: z.string().optional().meta({ description: 'Which check of an authentication failed.' }),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** The same for a document, which names every code. */
export const errorBodyWith = (codes: readonly string[]) =>
  errorBody
    .extend({
      code: z.enum(codes).meta({ id: 'ErrorCode', description: 'Others may be added.' }),
    })
    .meta({
      id: 'Error',
      description: 'What was wrong and, for field errors, every field that has to change.',
    });

export type Problem = z.output<typeof errorBody>;

/** Where nobody knows what became of a request, what its caller can do depends on how it was asked. */
export type Asked = 'to read' | 'with a key' | 'without a key';

/** The answer to an error, or `undefined` when the error is not the caller's. */
export type ProblemOf = (error: unknown, asked?: Asked) => Problem | undefined;

export const problemsWith =
  (statusOf: Readonly<Record<string, number>>): ProblemOf =>
  (error, asked = 'with a key') => {
    if (error instanceof Rejected) {
      const { code, message, details } = error;
      const status = statusOf[code] ?? 500;
      const reason = status === 401 && typeof details?.reason === 'string' ? { reason: details.reason } : {};
      return { status, code, message, ...reason, ...(details && { details }) };
    }
    if (error instanceof WrongRevision) {
      const message = 'Too many changes to this resource at the same moment; send the request again.';
      return { status: 409, code: 'CONFLICT', message };
    }
    if (error instanceof RequestLate)
      return awayProblem('The request took longer than the service lets it.', asked);
    return isStoreAway(error)
      ? awayProblem('The service cannot reach what it rests on.', asked)
      : transportProblem(error);
  };

const nextSteps: Readonly<Record<Asked, string>> = {
  'to read': 'Send the request again.',
  'with a key': 'What became of the request is not known; send it again with the same Idempotency-Key.',
  'without a key':
    'What became of the request is not known; look whether it was done before you send it again.',
};

const awayProblem = (what: string, asked: Asked): Problem => ({
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: `${what} ${nextSteps[asked]}`,
  details: { retryAfterSeconds: 1 },
});

/** Says nothing of the cause; the log has it under the request id. */
export const internalProblem = (requestId: string): Problem => ({
  status: 500,
  code: 'INTERNAL_ERROR',
  message: 'The service failed to handle the request. The request id finds it in the log.',
  details: { requestId },
});

/** The answer to what Express or the reader of bodies refused, or `undefined` for anything else. */
function transportProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const { status } = error;
  if (error instanceof TooLarge) {
    return { status: error.status, code: 'INVALID_REQUEST_FORMAT', message: error.message };
  }
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  if (error instanceof URIError) {
    return { status: 404, code: 'REFERENCE_NOT_FOUND', message: 'The path is not validly percent-encoded.' };
  }
  return { status: 400, code: 'INVALID_REQUEST_FORMAT', message: 'The request body cannot be read.' };
}
