/**
 * Where a text stops being JSON, and what would have to stand there. The engine's own words repeat what does stand there,
 * which may be somebody's secret; these repeat nothing.
 */

const quoted = /(?:Unexpected token '.{1,2}', )?(?:\.{3})?".*"(?:\.{3})? is not valid JSON/s;

/** What the engine has said, or an error with that in it, without what it quotes. */
export const withoutQuote = (said: string): string =>
  said.includes('" is not valid JSON') || said.includes('"... is not valid JSON')
    ? said.replace(quoted, 'a text is not valid JSON')
    : said;

type Fault = { readonly at: number; readonly expected: string };

/** What may come next, in words for whoever has written something else. */
const expected = {
  value: 'a value',
  'first item': 'a value or ]',
  'next item': 'a comma or ]',
  'first name': 'a name in double quotes or }',
  name: 'a name in double quotes',
  colon: 'a colon',
  'next member': 'a comma or }',
  end: 'the end',
} as const;
type Place = keyof typeof expected;

/** `expected a value at line 1, column 8`; nothing where the text is JSON. Takes linear time, whatever the text. */
export function faultInJson(text: string): string | undefined {
  const fault = faultOf(text);
  if (fault === undefined) return undefined;
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < fault.at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return `expected ${fault.expected} at line ${line}, column ${fault.at - start + 1}`;
}

function faultOf(text: string): Fault | undefined {
  const open: Closing[] = [];
  let place: Place = 'value';
  let at = afterSpace(text, 0);
  while (place !== 'end' || at < text.length) {
    const token = tokenAt(text, at);
    const next: Place | undefined = token && placeBehind(token, place, open);
    if (next === undefined) return { at, expected: expected[place] };
    const end = token === 'text' ? endOfText(text, at) : endOfToken(text, at);
    if (typeof end !== 'number') return end;
    place = next;
    at = afterSpace(text, end);
  }
  return undefined;
}

type Closing = ']' | '}';
type Token = '[' | '{' | Closing | ',' | ':' | 'text' | 'plain';

/** Each is looked for at one place only. */
const mark = /[[\]{},:]/y;
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const space = /[ \t\n\r]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

const afterSpace = (text: string, at: number): number => endOf(space, text, at) ?? at;

function tokenAt(text: string, at: number): Token | undefined {
  if (text[at] === '"') return 'text';
  if (endOf(mark, text, at) !== undefined) return text[at] as Token;
  return endOf(plain, text, at) === undefined ? undefined : 'plain';
}

const endOfToken = (text: string, at: number): number => endOf(plain, text, at) ?? at + 1;

function endOfText(text: string, from: number): number | Fault {
  let at = from + 1;
  while (at < text.length) {
    if (text[at] === '"') return at + 1;
    if (text.charCodeAt(at) < 0x20) return { at, expected: 'an escape in place of a control character' };
    const end: number | undefined = text[at] === '\\' ? endOf(escaped, text, at) : at + 1;
    if (end === undefined) return { at, expected: 'an escape that JSON has' };
    at = end;
  }
  return { at, expected: 'the double quote at the end of a text' };
}

const mayClose: ReadonlySet<Place> = new Set(['first item', 'next item', 'first name', 'next member']);

/** Where the text is behind the token, and nothing where that may not be. `open` has what closes the values around it. */
function placeBehind(token: Token, place: Place, open: Closing[]): Place | undefined {
  if (token === open.at(-1) && mayClose.has(place)) {
    open.pop();
    return behindValue(open);
  }
  switch (place) {
    case 'first name':
    case 'name':
      return token === 'text' ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'next item':
      return token === ',' ? 'value' : undefined;
    case 'next member':
      return token === ',' ? 'name' : undefined;
    case 'end':
      return undefined;
    default:
      return inValue(token, open);
  }
}

function inValue(token: Token, open: Closing[]): Place | undefined {
  if (token === '[' || token === '{') {
    open.push(token === '[' ? ']' : '}');
    return token === '[' ? 'first item' : 'first name';
  }
  return token === 'text' || token === 'plain' ? behindValue(open) : undefined;
}

function behindValue(open: readonly Closing[]): Place {
  if (open.length === 0) return 'end';
  return open.at(-1) === ']' ? 'next item' : 'next member';
}
