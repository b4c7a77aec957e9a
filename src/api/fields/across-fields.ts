/** Rules about several fields of a request, told beside what is wrong with single ones. */
import { z } from 'zod';

/** What was sent under a dotted path; `undefined` for nothing. It need not be of the type that the schema gives it. */
export type Sent = (path: string) => unknown;

export type FieldProblem = { readonly field: string; readonly message: string };

/** A check of an object, asked also where single fields of it are wrong: all bad fields are named at once. */
export const acrossFields = <T extends object>(problemsOf: (sent: Sent) => readonly FieldProblem[]) =>
  z.superRefine<T>(
    (value, context) => {
      for (const { field, message } of problemsOf((path) => memberAt(value, path)))
        context.addIssue({ code: 'custom', path: field.split('.'), message });
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );

const memberAt = (value: object, path: string): unknown =>
  path.split('.').reduce<unknown>((from, name) => {
    const own = typeof from === 'object' && from !== null ? Object.entries(from) : [];
    return own.find(([key]) => key === name)?.[1];
  }, value);

/** The problem of a field that nothing was sent for. */
export const requiredOf = (sent: Sent, field: string, message = 'is required'): readonly FieldProblem[] =>
  sent(field) === undefined ? [{ field, message }] : [];
