/** What is wrong with a field, in words that go on from its name: `must be a text`. */
import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** As many accepted values as a message lists; the constraint of the error has all. */
const listedMax = 12;

/** The words for whatever a schema does not say itself. */
export const inOurWords = (issue: RawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return missing(issue) ?? `must be ${kindOf(issue.expected)}`;
    case 'invalid_value':
      return valuesOf(issue, issue.values);
    case 'invalid_union':
      if (Array.isArray(issue.options)) return valuesOf(decidingOf(issue), issue.options);
      return missing(issue) ?? 'is none of what is taken here';
    case 'invalid_format':
      return formatOf(issue);
    case 'too_small':
      return `must ${bound(issue.origin, 'least', Number(issue.minimum), issue.inclusive)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'most', Number(issue.maximum), issue.inclusive)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_key':
      return 'has a name that is not taken here';
    default:
      return missing(issue) ?? 'is not taken here';
  }
};

/** The same of a query, where a parameter that is given again and again arrives as a list. */
export const inWordsOfQueries = (issue: RawIssue): string =>
  Array.isArray(issue.input) && isOfOneValue(issue) ? 'is given more than once' : inOurWords(issue);

const isOfOneValue = (issue: RawIssue): boolean =>
  issue.code === 'invalid_value' || (issue.code === 'invalid_type' && issue.expected !== 'array');

/** The member that says which of several variants an object is. */
const decidingOf = ({ input, discriminator }: Extract<RawIssue, { code: 'invalid_union' }>): Given => {
  const isMember = typeof input === 'object' && input !== null && typeof discriminator === 'string';
  return isMember ? { input: Reflect.get(input, discriminator) } : { input };
};

type Given = Pick<RawIssue, 'input'>;

const missing = ({ input }: Given): string | undefined => (input === undefined ? 'is required' : undefined);

const valuesOf = (issue: Given, values: readonly unknown[]): string =>
  [missing(issue), oneOf(values)].filter((part) => part !== undefined).join(', and ');

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};
const kindOf = (expected: string) => kinds[expected] ?? 'of another type';

function oneOf(values: readonly unknown[]): string {
  const [only] = values;
  if (values.length === 1) return `must be ${shown(only)}`;
  if (values.length > listedMax)
    return `must be one of the ${values.length} values that the constraint lists`;
  return `must be one of ${values.slice(0, -1).map(shown).join(', ')} or ${shown(values.at(-1))}`;
}

const shown = (value: unknown) => (value === '' ? 'an empty text' : String(value));

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  date: 'a date, YYYY-MM-DD',
  datetime: 'a moment in ISO 8601, such as 2026-01-31T09:00:00Z',
  base64url: 'base64url',
  uuid: 'a uuid',
};

function formatOf({ format, pattern }: Extract<RawIssue, { code: 'invalid_format' }>): string {
  const known = formats[format];
  if (known) return `must be ${known}`;
  return pattern
    ? `must match ${pattern.replace(/^\/|\/[a-z]*$/g, '')}`
    : 'does not have the form that is taken here';
}

/** `be at least 1`, `have at most 3 items`. */
function bound(origin: string, direction: 'least' | 'most', limit: number, inclusive = true): string {
  if (origin === 'string') return `have at ${direction} ${counted(limit, 'character')}`;
  if (origin === 'array' || origin === 'set') return `have at ${direction} ${counted(limit, 'item')}`;
  if (origin === 'object' || origin === 'map') return `have at ${direction} ${counted(limit, 'member')}`;
  if (inclusive) return `be at ${direction} ${limit}`;
  return `be ${direction === 'least' ? 'more' : 'less'} than ${limit}`;
}

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
