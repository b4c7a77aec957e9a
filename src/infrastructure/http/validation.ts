import type { z } from 'zod';
import { isStorable } from '../../kernel/json.ts';
import { Rejected, type RejectionCode, toCheck } from '../../kernel/rejected.ts';
import { inOurWords } from './words.ts';

type Constraint = {
  format?: string;
  pattern?: string;
  enum?: unknown[];
  minLength?: number;
  maxLength?: number;
};
export type FieldError = {
  readonly field: string;
  readonly message: string;
  readonly constraint?: Constraint;
};
type Issue = z.core.$ZodIssue;

/** The code of a refusal that names these fields. */
export type CodeOfFields = (fields: readonly string[]) => RejectionCode;

const invalidInput: CodeOfFields = () => 'INVALID_INPUT';

/** What the body as a whole is named by. */
export const bodyField = 'body';
/** Fields that one refusal names; it counts the others. */
export const errorsMax = 50;
/** As much of a field's name as a refusal repeats: the names of a record's members are the caller's. */
const nameMax = 200;

/**
 * Parses a body or query. Throws `Rejected` that names the bad fields at once, and what is known to be wrong, which is
 * `INVALID_INPUT`; `details.more` counts those beyond `errorsMax`.
 */
export function parseWith<T extends z.ZodType>(
  schema: T,
  value: unknown,
  known: readonly FieldError[] = [],
  codeOf = invalidInput,
  words = inOurWords,
): z.output<T> {
  const parsed = schema.safeParse(value, { error: words });
  if (parsed.success && known.length === 0) return parsed.data;
  const found = parsed.success ? [] : parsed.error.issues.flatMap((issue) => fieldErrors(issue));
  const errors = uniqueByField([...known, ...found]);
  const code = known.length > 0 ? 'INVALID_INPUT' : codeOf(errors.map(({ field }) => field));
  throw new Rejected(code, messageOf(errors), detailsOf(errors));
}

/** Checks path parameters and query values, which do not pass through the JSON reader. */
export function requireStorable(values: Readonly<Record<string, unknown>>): void {
  const errors = Object.entries(values)
    .filter(([, value]) => [value].flat().some((text) => typeof text === 'string' && !isStorable(text)))
    .map(([field]) => ({ field, message: 'must not contain NUL or unpaired surrogates' }));
  if (errors.length > 0) throw new Rejected('INVALID_INPUT', messageOf(errors), detailsOf(errors));
}

function messageOf(errors: readonly FieldError[]): string {
  const named = errors.slice(0, errorsMax).map(({ field }) => field);
  return toCheck(named, errors.length - named.length);
}

const detailsOf = (errors: readonly FieldError[]) =>
  errors.length > errorsMax
    ? { errors: errors.slice(0, errorsMax), more: errors.length - errorsMax }
    : { errors };

const uniqueByField = (errors: readonly FieldError[]) =>
  [...new Map(errors.toReversed().map((error) => [error.field, error])).values()].toReversed();

function fieldErrors(issue: Issue, prefix: readonly PropertyKey[] = []): FieldError[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const either = eitherOf(issue.errors);
    if (either !== undefined) return [{ field: fieldOf(path), message: either }];
    // The variant that came furthest tells best what is wrong.
    const closest = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)[0] ?? [];
    return closest.flatMap((inner) => fieldErrors(inner, path));
  }
  const constraint = constraintOf(issue);
  return [{ field: fieldOf(path), message: issue.message, ...(constraint && { constraint }) }];
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? bodyField : path.map(String).join('.').slice(0, nameMax).toWellFormed();

/** What a single value may be, where it is none of several things: nothing says which of them was meant. */
function eitherOf(alternatives: readonly (readonly Issue[])[]): string | undefined {
  const wholes = alternatives.flatMap((issues) => (depthOf(issues) === 0 ? [issues[0]?.message ?? ''] : []));
  const messages = [...new Set(wholes)];
  return wholes.length === alternatives.length && messages.length > 1 ? messages.join(', or ') : undefined;
}

const depthOf = (issues: readonly Issue[]) => Math.max(0, ...issues.map(({ path }) => path.length));

function constraintOf(issue: Issue): Constraint | undefined {
  switch (issue.code) {
    case 'invalid_format':
      return issue.format === 'regex' && issue.pattern
        ? { pattern: issue.pattern.replace(/^\/|\/[a-z]*$/g, '') }
        : { format: issue.format };
    case 'invalid_union':
      return 'options' in issue && issue.options ? { enum: [...issue.options] } : undefined;
    case 'invalid_value':
      return { enum: [...issue.values] };
    case 'too_small':
      return issue.origin === 'string' ? { minLength: Number(issue.minimum) } : undefined;
    case 'too_big':
      return issue.origin === 'string' ? { maxLength: Number(issue.maximum) } : undefined;
    default:
      return undefined;
  }
}
