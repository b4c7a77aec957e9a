/** In tests, every answer is held against what its operation declares; a difference is a fault of the service. */
import type { z } from 'zod';
import { canonical, stringify } from '../../../kernel/json.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { Answer, Operation } from '../operation.ts';
import { errorBody, type ProblemOf } from '../problem.ts';
import { declaredErrors } from './errors.ts';

/** Throws for a status, an error code, a field or a missing body that the operation does not declare. */
export function checkAnswer(operation: Operation, answer: Answer): void {
  if (answer.status >= 400) checkErrorBody(operation, answer);
  else checkSuccess(operation, answer);
}

/** The same for what is thrown, as far as it is the caller's fault. */
export function checkRefusal(operation: Operation, error: unknown, problemOf: ProblemOf): void {
  const problem = problemOf(error);
  if (problem) checkAnswer(operation, { status: problem.status, body: problem });
}

function checkErrorBody(operation: Operation, { status, body }: Answer): void {
  const { operationId } = operation;
  const codes = declaredErrors(operation)[status];
  demand(codes, `${operationId} answered ${status}, which it does not declare`);
  fits(operationId, errorBody, body);
  const { status: written, code } = errorBody.parse(body);
  demand(written === status, `${operationId} answered ${status} with a body that says ${written}`);
  demand(codes.includes(code), `${operationId} answered ${status} ${code}, which it does not declare`);
}

function checkSuccess({ operationId, responses }: Operation, { status, body, text, stream }: Answer): void {
  const declared = responses[status];
  demand(declared, `${operationId} answered ${status}, which it does not declare`);
  const { schema, contentType } = declared;
  demand((stream === undefined) === (contentType === undefined), `${operationId} answered with no stream`);
  if (stream) return;
  demand(
    (schema === undefined) === (body === undefined),
    `${operationId} answered ${status} with the wrong kind of body`,
  );
  if (schema) fits(operationId, schema, body);
  demand(
    text === undefined || text === stringify(body),
    `${operationId} answered another text than its body's`,
  );
}

function fits(operationId: string, schema: z.ZodType, body: unknown): void {
  const checked = schema.safeParse(body);
  demand(checked.success, `${operationId}: ${checked.error?.message}`);
  // Parsing leaves out what the schema does not name.
  demand(canonical(checked.data) === canonical(body), `${operationId} answered undeclared fields`);
}

/** Unlike other faults this one is told to the caller, who is a test. */
function demand(condition: unknown, fault: string): asserts condition {
  if (!condition) throw new Rejected('INTERNAL_ERROR', fault);
}
