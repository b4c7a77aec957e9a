import type { Rejected } from '../../../kernel/rejected.ts';
import { checkAnswer } from '../describe/check-answer.ts';
import type { Answer, Caller, Gate, Operation } from '../operation.ts';
import type { ProblemOf } from '../problem.ts';

type Deps<O extends Operation> = {
  readonly gate: Pick<Gate<O>, 'isPermitted'>;
  readonly problemOf: ProblemOf;
  /** In tests, what an operation does not declare is a fault. */
  readonly checkResponses: boolean;
};

/**
 * A refusal is an answer like any other, except what passes by itself or is not kept. Nothing is kept of what a caller
 * without the right is told, since another token of the same holder may have it.
 */
export function keptRefusal<O extends Operation>(
  refusal: Rejected,
  operation: O,
  caller: Caller,
  { gate, problemOf, checkResponses }: Deps<O>,
): Answer | undefined {
  const problem = problemOf(refusal);
  if (!problem) return undefined;
  const { status, details } = problem;
  const passes =
    status >= 500 || status === 401 || status === 429 || details?.retryAfterSeconds !== undefined;
  if (passes || !gate.isPermitted(operation, caller)) return undefined;
  const answer = { status, body: problem };
  if (checkResponses) checkAnswer(operation, answer);
  return answer;
}
