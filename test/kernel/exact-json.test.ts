import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExactly, writeExactly } from '../../src/kernel/exact-json.ts';
import { InvariantViolation } from '../../src/kernel/invariant.ts';
import { holds } from '../support/values/property.ts';

const leaf = fc.oneof(
  fc.string(),
  fc.bigInt(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
);
const { state } = fc.letrec((tie) => ({
  state: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('state')),
    fc.dictionary(fc.string(), tie('state')),
    fc.array(fc.tuple(fc.string(), tie('state'))).map((entries) => new Map(entries)),
    fc.array(leaf).map((items) => new Set(items)),
  ),
}));

describe('a state as text', () => {
  it('is the same state again', () =>
    holds(
      fc.property(state, (value) => {
        expect(normal(readExactly(writeExactly(value)))).toEqual(normal(value));
      }),
      300,
    ));

  it('leaves out what is undefined', () =>
    expect(readExactly(writeExactly({ a: undefined, b: 1n }))).toStrictEqual({ b: 1n }));

  it.each([undefined, Number.NaN, () => 1, new URL('https://example.com')])('is not made of %s', (value) =>
    expect(() => writeExactly(value)).toThrow(InvariantViolation),
  );

  it.each(['', '"x"', '["x"]', '"?1"'])('is not read from %j', (text) =>
    expect(() => readExactly(text)).toThrow(),
  );
});

/** Objects from a parser and from the generator differ in their prototypes alone. */
const normal = (value: unknown): unknown => structuredClone(value);
