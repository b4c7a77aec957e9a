/** What is wrong with the environment, a line for each variable. */
import type { z } from 'zod';
import { placeIn } from './kinds.ts';
import { idleVariables, type Unknown } from './unknown.ts';

/** A shell takes quotes away; the files that containers have variables from keep them. */
const inQuotes = /^(["']).*\1$/s;

type Read = {
  readonly set: Readonly<Record<string, string | undefined>>;
  readonly known: readonly string[];
  readonly unknown: readonly Unknown[];
  readonly issues: readonly z.core.$ZodIssue[];
};

/** A variable in quotes is told to be so, and nothing else of it. */
export function problemsOf({ set, known, unknown, issues }: Read): readonly string[] {
  const quoted = known.filter((name) => inQuotes.test(set[name] ?? ''));
  return [
    ...unknown.flatMap(({ name, meant }) =>
      meant === undefined ? [] : [`${name}: there is no such variable; ${meant} is meant, or unset it`],
    ),
    ...quoted.map((name) => `${name}: has quotes around it, which would be part of it: leave them out`),
    ...idleVariables(set).map(
      ({ name, place }) =>
        `${name}: is for what ${place} names, and that is not set: set it, or unset this one`,
    ),
    ...issues.flatMap(({ path, message }) =>
      quoted.includes(String(path[0])) ? [] : [`${placeIn(path)} ${message}`],
    ),
  ];
}
