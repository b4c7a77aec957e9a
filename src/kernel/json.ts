/** JSON whose integers keep every digit, and whose text Postgres can store. */
import { faultInJson } from './json-fault.ts';
import { Rejected } from './rejected.ts';

/** No request of this interface nests deeper than a few levels. */
export const depthMax = 32;
/** Values in one body: more than the longest lists that requests may carry have. */
export const valuesMax = 10_000;
/** Digits of a number that is read exactly: reading takes longer than linear time, and no bound has as many. */
export const digitsMax = 1_000;

declare global {
  interface JSON {
    /** Text that `stringify` writes as it is (ECMAScript proposal "JSON.parse source text access"). */
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** An array is one too. */
export const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null;

/** Writes `bigint` as an integer, not as text. */
export const stringify = (value: unknown): string => JSON.stringify(writable(value));

/** The same value without `bigint`. A replacer would say the same, and make `JSON.stringify` several times slower. */
function writable(value: unknown): unknown {
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : JSON.rawJSON(value.toString());
  if (typeof value !== 'object' || value === null || hasOwnWords(value)) return value;
  if (Array.isArray(value)) return value.map(writable);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    put(copy, name, writable(memberOf(value, name)));
  }
  return copy;
}

const memberOf = (value: object, name: string): unknown => (value as Readonly<Record<string, unknown>>)[name];

function put(copy: Record<string, unknown>, name: string, member: unknown): void {
  // The one name to which an assignment does something else.
  if (name === '__proto__') Object.defineProperty(copy, name, { value: member, enumerable: true });
  else copy[name] = member;
}

/** A moment, for example; a member of that name that a caller has sent is none. */
const hasOwnWords = (value: object): boolean => 'toJSON' in value && typeof value.toJSON === 'function';

const isSafe = (value: bigint): boolean =>
  value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER;

/**
 * The same text for equal values, whatever the order of their members: canonical JSON by RFC 8785, in which a `bigint`
 * is an integer with all of its digits. What JSON leaves out is left out.
 */
export function canonical(value: unknown): string {
  if (isInOrder(value)) return JSON.stringify(value) ?? 'null';
  const copy = ordered(value);
  return isInOrder(copy) ? JSON.stringify(copy) : written(value);
}

/** Whether what the engine writes is canonical. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) return value.every(isInOrder);
  if (hasOwnWords(value)) return true;
  let before = '';
  for (const name in value) {
    if (name < before || !isInOrder(memberOf(value, name))) return false;
    before = name;
  }
  return true;
}

/** A copy with its members in order; those whose names are numbers come first in any object. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || hasOwnWords(value)) return writable(value);
  if (Array.isArray(value)) return value.map(ordered);
  const copy: Record<string, unknown> = {};
  for (const name of inOrder(Object.keys(value))) {
    put(copy, name, ordered(memberOf(value, name)));
  }
  return copy;
}

/** Takes the engine's order for none of its own. */
function written(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (hasOwnWords(value)) return JSON.stringify(value);
  const texts = inOrder(Object.keys(value)).flatMap((name) => {
    const member = memberOf(value, name);
    return member === undefined ? [] : [`${JSON.stringify(name)}:${written(member)}`];
  });
  return `{${texts.join(',')}}`;
}

/** From so many names on the engine's own way to sort is the faster one. */
const manyNames = 32;

/** Sorts in place by UTF-16 code units. The engine's `sort` allocates, which for a few names is most of its cost. */
function inOrder(names: string[]): readonly string[] {
  if (names.length >= manyNames) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i] ?? '';
    let place = i;
    for (let before = names[place - 1]; before !== undefined && before > name; before = names[place - 1]) {
      names[place] = before;
      place -= 1;
    }
    names[place] = name;
  }
  return names;
}

/**
 * Parses a request body. Throws `Rejected` for text that is not UTF-8, not JSON, nested too deep or of too many values,
 * and for strings with characters that cannot be stored.
 */
export function parseBody(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  refuseVast(text);
  return parseExactly(text);
}

/**
 * What reading exactly is for: escapes, which alone can name what cannot be stored, numbers of 16 digits and more, and
 * those so small that a double has zero for them. No other fraction has an integer for its double. Digits are looked at
 * from the first of a row alone: from each of them, text that falls just short would take many times as long.
 */
export const isSubtle = /\\u|(?<!\d)(?:\d{16}|(?<!\d\.*)\d[\d.]{16})|\de-\d{3,}(?![\w-])/i;

/**
 * Parses JSON of any size. Integers that a double cannot hold become `bigint`, up to a length that nothing takes; what is
 * no integer is none when it is read, however near it is to one.
 */
export function parseExactly(text: string): unknown {
  try {
    return isSubtle.test(text) ? parseSubtle(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof Rejected) throw error;
    throw malformed(`The body is not valid JSON: ${faultInJson(text) ?? 'it cannot be read'}.`);
  }
}

function parseSubtle(text: string): unknown {
  let unstorable = false;
  const revive = (key: string, value: unknown, context: { readonly source?: string }): unknown => {
    if (typeof value === 'string') unstorable ||= !isStorable(value);
    unstorable ||= !isStorable(key);
    return typeof value === 'number' ? exactNumber(value, context.source ?? '') : value;
  };
  const parsed: unknown = JSON.parse(text, revive);
  if (unstorable) throw malformed('The body contains a NUL character or half of a surrogate pair.');
  return parsed;
}

function exactNumber(value: number, source: string): number | bigint {
  const isShort = source.length <= digitsMax;
  if (/^-?\d+$/.test(source)) return isShort && !Number.isSafeInteger(value) ? BigInt(source) : value;
  if (!Number.isSafeInteger(value) || (isShort && isWhole(source))) return value;
  return besideInteger(value);
}

/** Whether the number has nothing behind its point. */
function isWhole(source: string): boolean {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole.replace('-', '')}${fraction}`;
  // From the first zero of a row alone: from each, zeros before another digit would take quadratic time.
  const zeros = digits.length - digits.replace(/(?<!0)0+$/, '').length;
  return zeros === digits.length || fraction.length - zeros <= Number(exponent);
}

/** From here on all doubles are integers. */
const noFractions = 2 ** 52;

/** The nearest double that is no integer, towards zero; where there is none, what no bound allows. */
const besideInteger = (value: number): number => {
  if (Math.abs(value) >= noFractions) return value * Number.POSITIVE_INFINITY;
  return value * (1 - Number.EPSILON / 2) || Number.MIN_VALUE;
};

/** Postgres stores neither NUL nor unpaired surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** As `JSON.stringify` writes what cannot be stored. Backslashes before it, two for each that is meant, are no part of it. */
const unstorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/g;

/** JSON that `JSON.stringify` has written, with U+FFFD in place of characters that Postgres cannot store. */
export const storableJson = (json: string): string =>
  json.includes('\\u') ? json.replace(unstorable, '$1\\ufffd') : json;

export const malformed = (message: string) => new Rejected('INVALID_REQUEST_FORMAT', message);

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('The body is not UTF-8.');
  }
}

/** Counts brackets and commas outside strings, so that hostile text is turned away before it is parsed. */
function refuseVast(text: string): void {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === ',') values++;
    else if (char === '{' || char === '[') {
      depth++;
      values++;
    } else if (char === '}' || char === ']') depth--;
    if (depth > depthMax) throw malformed(`The body is nested deeper than ${depthMax} levels.`);
    if (values > valuesMax) throw malformed(`The body has more than ${valuesMax} values.`);
  }
}
