import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { positiveAmount } from '../../../src/api/fields/fields.ts';
import { isStorable, isSubtle, parseBody, stringify } from '../../../src/kernel/json.ts';
import { int64Max } from '../../../src/kernel/money.ts';
import { thrownBy } from '../../support/builders/spec.ts';
import { holds } from '../../support/values/property.ts';

const parse = (text: string) => parseBody(new TextEncoder().encode(text));
const refusal = (text: string) => thrownBy(() => parse(text));
const malformed = (message: RegExp) => ({
  name: 'Rejected',
  code: 'INVALID_REQUEST_FORMAT',
  message: expect.stringMatching(message),
});

describe('an integer in a body', () => {
  it.each([
    ['0', 0],
    ['-7', -7],
    ['1.0', 1],
    ['1e3', 1000],
    ['1.500e1', 15],
    ['1000.00000000000000', 1000],
    ['1000000000000000000e-15', 1000],
    ['0.0000000000000010e15', 1],
    ['0e-400', 0],
    ['100100000000000000.000e-3', 100_100_000_000_000],
    ['8999999999999999.0', 8_999_999_999_999_999],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['-9007199254740993', -9_007_199_254_740_993n],
    ['9223372036854775807', int64Max],
    ['9223372036854775808', int64Max + 1n],
    ['1'.repeat(300), BigInt('1'.repeat(300))],
  ])('keeps every digit of %s', (text, value) => {
    expect(parse(`{"amount":${text}}`)).toEqual({ amount: value });
    expect(parse(text)).toBe(value);
    expect(parse(`[${text}]`)).toEqual([value]);
  });

  it.each([
    ['1.5', 1.5],
    ['1e400', Number.POSITIVE_INFINITY],
    ['-1e400', Number.NEGATIVE_INFINITY],
    ['9007199254740993.0', 9_007_199_254_740_992],
    ['1e16', 1e16],
    ['10010.00100000000000000', 10_010.001],
    ['0.99999999999999999', 1 - 2 ** -53],
    ['-1000.00000000000001', -999.9999999999999],
    ['123456789012345.99999', 123_456_789_012_345.98],
    ['4503599627370494.9999', 4_503_599_627_370_494.5],
    ['8999999999999999.7', Number.POSITIVE_INFINITY],
    ['-8999999999999999.7', Number.NEGATIVE_INFINITY],
    ['99999999999999999999e-20', 1 - 2 ** -53],
    ['1e-400', Number.MIN_VALUE],
    ['-1E-0400', Number.MIN_VALUE],
    [`1.${'0'.repeat(1_000)}`, 1 - 2 ** -53],
    ['1'.repeat(1_001), Number.POSITIVE_INFINITY],
    [`-${'1'.repeat(1_000_000)}`, Number.NEGATIVE_INFINITY],
  ])('is not what %s is', (text, value) => expect(parse(text)).toBe(value));

  it.each([
    '1.5',
    '1e400',
    '-1e400',
    '1e16',
    '9007199254740993.0',
    '0.99999999999999999',
    '1000.00000000000001',
    '1.0000000000000001e3',
    '"5"',
    'null',
    'true',
    '0',
    '-1',
    '10000',
  ])('is no amount as %s', (text) =>
    expect(positiveAmount(9_999n).safeParse(parse(text)).success).toBe(false),
  );

  it.each([
    ['1', 1n],
    ['1.0', 1n],
    ['9223372036854775807', int64Max],
  ])('is an amount as %s', (text, value) => expect(positiveAmount(int64Max).parse(parse(text))).toBe(value));
});

describe('a text that is read exactly', () => {
  /** Looks at every place by itself. */
  const isSubtleAt = (text: string): boolean => {
    const rest = text.toLowerCase();
    if (rest.startsWith('\\u')) return true;
    if (!/^\d/.test(rest)) return false;
    const digits = (/^\d*/.exec(rest)?.[0] ?? '').length;
    const row = (/^[\d.]*/.exec(rest)?.[0] ?? '').length;
    return digits >= 16 || row >= 17 || /^\de-\d{3,}(?![\w-])/.test(rest);
  };
  const isSubtleSlowly = (text: string): boolean => [...text].some((_, at) => isSubtleAt(text.slice(at)));

  const piece = fc.oneof(
    fc.constantFrom('.', '..', 'e-', 'E-1', '-', 'x', '\\', 'u', ',', '12', '3'),
    fc.integer({ min: 1, max: 17 }).map((many) => '1'.repeat(many)),
    fc.integer({ min: 1, max: 17 }).map((many) => '.'.repeat(many)),
  );
  const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

  it('has an escape, many digits, or a large negative exponent, wherever they stand', () =>
    holds(
      fc.property(texts, (text) => {
        expect(isSubtle.test(text)).toBe(isSubtleSlowly(text));
      }),
      3_000,
    ));

  it.each([
    ['1'.repeat(16), true],
    [`${'1'.repeat(15)}x`.repeat(3), false],
    [`${'.'.repeat(20)}1${'.'.repeat(15)}`, false],
    [`${'.'.repeat(20)}1${'.'.repeat(16)}`, true],
    [`1.${'1'.repeat(15)}`, true],
    ['1e-99', false],
    ['1E-100', true],
    ['1e-100x', false],
  ])('is %j: %s', (text, expected) => expect(isSubtle.test(text)).toBe(expected));
});

describe('a response', () => {
  it('has big integers as numbers', () => {
    expect(stringify({ amount: int64Max, list: [10n ** 300n], text: '1' })).toBe(
      `{"amount":9223372036854775807,"list":[1${'0'.repeat(300)}],"text":"1"}`,
    );
  });

  it('is read back as it was written', () => {
    const amounts = fc.array(fc.bigInt());
    holds(
      fc.property(amounts, (written) => {
        const read = z.array(z.union([z.bigint(), z.int()])).parse(parse(stringify(written)));
        expect(read.map(BigInt)).toEqual(written);
      }),
    );
  });

  it('is the JSON that came in', () => {
    const plain = fc.jsonValue().filter((value) => !/\\|\d{16}/.test(JSON.stringify(value)));
    holds(
      fc.property(plain, (value) => {
        expect(parse(stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a body', () => {
  it.each(['', ' ', '{', '{"a":}', '[1,]', 'nul', '{a:1}', "{'a':1}", '{"a":1}x', 'NaN', '01', '+1', '0x10'])(
    'is refused when it is no JSON: %j',
    (text) => expect(refusal(text)).toMatchObject(malformed(/^The body is not valid JSON: /)),
  );

  it.each([
    `{"otp":'483920'}`,
    'otp=483920',
    '{"clientSecret":483920x}',
    '[483920',
    '"483920',
    '{"n": 483920 483920}',
    '{"\\u0041":\n483920 483920}',
  ])('is refused without a part of it, and with the place: %j', (text) => {
    const said = /^The body is not valid JSON: expected [^\d]+ at line \d, column \d\d?\.$/;
    expect(refusal(text)).toMatchObject(malformed(said));
  });

  it.each(['\u{10000}\u0001', '[\u{1f600}]', '\u0000', `${'x'.repeat(20)}\u{1f600}${'x'.repeat(20)}`])(
    'is refused in words that can be stored: %j',
    (text) => expect(thrownBy(() => parse(text))).toMatchObject({ message: expect.toSatisfy(isStorable) }),
  );

  it.each([
    [0xff],
    [0x22, 0xc3, 0x28, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xc0, 0x80, 0x22],
    [0x22, 0xf0, 0x9f, 0x98, 0x22],
  ])('is refused when it is not UTF-8 (row %#)', (...bytes) => {
    expect(thrownBy(() => parseBody(Uint8Array.from(bytes)))).toMatchObject(
      malformed(/^The body is not UTF-8\.$/),
    );
  });

  it.each([
    '"\\u0000"',
    '{"a":"b\\u0000"}',
    '{"\\u0000":1}',
    '["x",["\\ud800"]]',
    '{"a":{"\\udc00":1}}',
    '"\\udc00\\ud800"',
  ])('is refused with text that cannot be stored: %s', (text) =>
    expect(refusal(text)).toMatchObject(malformed(/NUL character or half of a surrogate pair/)),
  );

  it.each(['"\\ud83d\\ude00"', '"😀"', '"\\\\u0000"', '"\\u0001"', '"\ufffd"'])('may hold %s', (text) =>
    expect(parse(text)).toBe(JSON.parse(text)),
  );
});

describe('the depth of a body', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it('may be 32', () => expect(stringify(parse(nested(32)))).toBe(nested(32)));

  it.each([
    nested(33),
    `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
    '['.repeat(1_000_000),
    '{"a":['.repeat(20),
  ])('is refused beyond 32 (row %#)', (text) =>
    expect(refusal(text)).toMatchObject(malformed(/^The body is nested deeper than 32 levels\.$/)),
  );

  it.each([
    `{"text":${JSON.stringify('['.repeat(100))}}`,
    `{"text":"${'\\"['.repeat(50)}"}`,
    `["${'\\\\'.repeat(3)}",${JSON.stringify('{'.repeat(100))}]`,
    `[${nested(30)},${nested(30)}]`,
  ])('leaves out brackets in text, or beside each other (row %#)', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

describe('the values of a body', () => {
  const list = (length: number) => `[${Array(length).fill('1').join(',')}]`;

  it('may be 10,000', () => expect(parse(list(9_999))).toHaveLength(9_999));

  it.each([
    list(10_000),
    `{"types":${list(500_000)}}`,
    `[${Array(6_000).fill('{}').join(',')}]`,
    `{${Array.from({ length: 10_000 }, (_, n) => `"${n}":0`).join(',')}}`,
    '['.concat(','.repeat(20_000)),
  ])('are refused beyond that, before they are read (row %#)', (text) =>
    expect(refusal(text)).toMatchObject(malformed(/^The body has more than 10000 values\.$/)),
  );

  it('are not what stands in texts', () => {
    const text = JSON.stringify({ note: '1,'.repeat(100_000) });
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

describe('a strange key', () => {
  it('counts as given last when it is given twice', () => {
    expect(parse('{"a":1,"a":9007199254740993}')).toEqual({ a: 9_007_199_254_740_993n });
    expect(parse('{"a":9007199254740993,"a":"x"}')).toEqual({ a: 'x' });
  });

  it.each(['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}'])(
    'is only a key: %s',
    (text) => {
      const parsed = parse(text);
      expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
      expect(Object.getOwnPropertyNames(parsed)).toHaveLength(1);
      expect(Reflect.get({}, 'admin')).toBeUndefined();
      expect(parsed).not.toHaveProperty('admin', true);
    },
  );

  it.each([z.object({ a: z.string().optional() }), z.record(z.string(), z.unknown())])(
    'does not become a prototype in a schema (row %#)',
    (schema) => {
      const checked = schema.parse(parse('{"__proto__":{"a":"x"}}'));
      expect(Object.getPrototypeOf(checked)).not.toHaveProperty('a');
    },
  );
});
