/** Accounts that can be named in several ways: which fields have to be given together. */
type Problem = { readonly path: string[]; readonly message: string };

/** Sets of fields of which at least one must be given whole; with `exclusive`, exactly one. */
type Alternatives = { readonly sets: readonly (readonly string[])[]; readonly exclusive: boolean };

/**
 * What is wrong with the `given` fields: one problem for each field missing from the set that was begun (from the
 * first set when none was), or one for each surplus set.
 */
export function alternativeProblems(
  { sets, exclusive }: Alternatives,
  given: ReadonlySet<string>,
): Problem[] {
  if (sets.length === 0) return [];
  const problem = (rule: string) => (field: string) => ({
    path: [field],
    message: `${rule} ${wording(sets)}`,
  });
  const whole = sets.filter((fields) => fields.every((field) => given.has(field)));
  if (whole.length === 0) {
    const begun = sets.find((fields) => fields.some((field) => given.has(field))) ?? sets[0] ?? [];
    return begun.filter((field) => !given.has(field)).map(problem('is required:'));
  }
  return exclusive ? whole.slice(1).flat().map(problem('must be left out: exactly one is taken of')) : [];
}

/** The same rule in JSON Schema. */
export function alternativeKeywords({ sets, exclusive }: Alternatives): Record<string, unknown> {
  if (sets.length === 0) return {};
  return { [exclusive ? 'oneOf' : 'anyOf']: sets.map((required) => ({ required })) };
}

const wording = (sets: Alternatives['sets']): string =>
  sets.map((fields) => fields.join(' and ')).join(' or ');
