import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultInJson } from '../../src/kernel/json-fault.ts';
import { holds } from '../support/values/property.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('what is wrong with a text that is no JSON', () => {
  it.each([
    ['', 'a value', 1, 1],
    [' \r\n\t', 'a value', 2, 2],
    ['otp=483920', 'a value', 1, 1],
    [`{"otp":'483920'}`, 'a value', 1, 8],
    ['{"a":1,\n "b": Zebulon}', 'a value', 2, 7],
    ['{"a":}', 'a value', 1, 6],
    ['[1,]', 'a value', 1, 4],
    ['+1', 'a value', 1, 1],
    ['-', 'a value', 1, 1],
    ['[', 'a value or ]', 1, 2],
    ['[}', 'a value or ]', 1, 2],
    ['[1 2]', 'a comma or ]', 1, 4],
    ['[1}', 'a comma or ]', 1, 3],
    ['{', 'a name in double quotes or }', 1, 2],
    ['{a:1}', 'a name in double quotes or }', 1, 2],
    ['{"a":1,}', 'a name in double quotes', 1, 8],
    ['{"a" 1}', 'a colon', 1, 6],
    ['{"a" "b', 'a colon', 1, 6],
    ['{"a":1 "b":2}', 'a comma or }', 1, 8],
    ['{"a":[{}]]', 'a comma or }', 1, 10],
    ['{"a":1}x', 'the end', 1, 8],
    ['01', 'the end', 1, 2],
    ['1.', 'the end', 1, 2],
    ['nullify', 'the end', 1, 5],
    ['["a', 'the double quote at the end of a text', 1, 4],
    ['["a\nb"]', 'an escape in place of a control character', 1, 4],
    ['["\\x"]', 'an escape that JSON has', 1, 3],
    ['["\\u12"]', 'an escape that JSON has', 1, 3],
    ['["\\', 'an escape that JSON has', 1, 3],
  ])('is told of %j', (text, expected, line, column) => {
    expect(faultInJson(text)).toBe(`expected ${expected} at line ${line}, column ${column}`);
  });

  it.each(['1e400', '-0.5E+7', ' [ ] ', '{}', '"\\ud83d\\n"', '[[],{"":[]},null,true,false]'])(
    'is nothing of %j',
    (text) => expect(faultInJson(text)).toBeUndefined(),
  );

  it('is told wherever the engine refuses a text, and nowhere else', () => {
    const pieces = fc.constantFrom(
      ...'[]{},:"\\-+.eE01u \n\tx\u0007',
      'true',
      'null',
      '"a"',
      '"a":',
      '\\u0041',
    );
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
      spoilt,
    );
    holds(
      fc.property(texts, (text) => {
        expect(faultInJson(text) === undefined).toBe(isJson(text));
      }),
      2_000,
    );
  });

  it('is found in a text of any depth and length', () => {
    expect(faultInJson('['.repeat(1_000_000))).toBe('expected a value or ] at line 1, column 1000001');
    expect(faultInJson(`${'\n'.repeat(1_000_000)}x`)).toBe('expected a value at line 1000001, column 1');
    expect(faultInJson(`"${'x'.repeat(1_000_000)}`)).toMatch(/^expected the double quote /);
  });
});

/** JSON with one character in place of some others. */
const spoilt = fc
  .tuple(
    fc.jsonValue(),
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', ',', '"', '}', ']', ':', '\\', '0', '-', 'e', '.'),
  )
  .map(([value, place, length, instead]) => {
    const text = JSON.stringify(value);
    const at = place % (text.length + 1);
    return `${text.slice(0, at)}${instead}${text.slice(at + length)}`;
  });
