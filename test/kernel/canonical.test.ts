import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical as ofVerifier } from '../../src/app/cli/verify/verify.mjs';
import { canonical } from '../../src/kernel/json.ts';

/** RFC 8785, section 3.2.2 and 3.2.3, and Appendix B. */
const vectors: readonly (readonly [string, string])[] = [
  [
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  ],
  [
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  ],
  [
    '[-0,9007199254740992,-5e-324,1.7976931348623157e308,1e23,999999999999999700000]',
    '[0,9007199254740992,-5e-324,1.7976931348623157e+308,1e+23,999999999999999700000]',
  ],
  ['{"10":1,"9":2,"a":{"c":[],"b":{}}}', '{"10":1,"9":2,"a":{"b":{},"c":[]}}'],
];

describe('canonical JSON', () => {
  it.each(vectors)('of %s', (text, expected) => {
    expect([canonical(JSON.parse(text)), ofVerifier(JSON.parse(text))]).toEqual([expected, expected]);
  });

  /** Names that are numbers have an order of their own in every object of the engine. */
  const names = fc.oneof(fc.string(), fc.nat(99).map(String), fc.constantFrom('__proto__', 'a', 'b', 'é'));
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, false),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(names, tie('value')), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
    ),
  })).value;

  it('is what the verifier makes of it, whatever the order of the members', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonical(value)).toBe(ofVerifier(JSON.parse(JSON.stringify(value))));
      }),
    );
  });

  it('has all digits of a bigint, and leaves out what JSON does', () => {
    expect(canonical({ b: 2n ** 64n, a: undefined, c: [undefined, new Date(0)] })).toBe(
      '{"b":18446744073709551616,"c":[null,"1970-01-01T00:00:00.000Z"]}',
    );
  });
});
