import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { namesOf, unknownIn, unknownMax } from '../../../../src/infrastructure/http/names/names.ts';
import { warningOf } from '../../../../src/infrastructure/http/names/told.ts';
import { nearestOf } from '../../../../src/kernel/nearest.ts';

const schema = z.object({
  fullName: z.string().optional(),
  address: z.object({ line1: z.string() }).nullable().default(null),
  owners: z.array(z.object({ lastName: z.string() })),
  info: z.record(z.string(), z.string()).optional(),
  either: z.union([z.string(), z.object({ id: z.string() })]).optional(),
  account: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('BANK'), iban: z.string() }).refine(() => true),
      z.object({ kind: z.literal('WALLET'), address: z.string() }),
    ])
    .optional(),
});
const unknownOf = (value: unknown) => unknownIn(namesOf(schema), value);

describe('the members that a schema does not know', () => {
  it.each([
    ['in an object', { fullname: 'Ada', owners: [] }, { field: 'fullname', near: 'fullName' }],
    ['in one inside it', { address: { line_1: 'x' } }, { field: 'address.line_1', near: 'address.line1' }],
    [
      'in a list',
      { owners: [{ lastName: 'x' }, { lastNam: 'y' }] },
      { field: 'owners.1.lastNam', near: 'owners.1.lastName' },
    ],
    ['in the variant that is meant', { account: { kind: 'BANK', adress: 'x' } }, { field: 'account.adress' }],
    [
      'in the other variant',
      { account: { kind: 'WALLET', adress: 'x' } },
      { field: 'account.adress', near: 'account.address' },
    ],
    ['in the object of a union', { either: { idd: 1 } }, { field: 'either.idd', near: 'either.id' }],
    ['without a name', { '': 1 }, { field: '""' }],
    ['like nothing known', { zebra: 1 }, { field: 'zebra' }],
  ])('are found %s', (_where, value, unknown) => {
    expect(unknownOf(value)).toEqual([unknown]);
  });

  it.each([
    ['a record has the names of whoever sends it', { info: { anything: 'x' } }],
    ['there is no such variant', { account: { kind: 'GOLD', iban: 'x' } }],
    ['what is there has the wrong type', { owners: { lastNam: 1 }, address: [{ line: 1 }], either: 'text' }],
    ['it is no object', 'text'],
    ['it is nothing', undefined],
  ])('are none where %s', (_why, value) => {
    expect(unknownOf(value)).toEqual([]);
  });

  it('are looked for up to a bound', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`no${n}`, n]));
    expect(unknownOf({ ...many, address: many })).toHaveLength(unknownMax);
  });
});

describe('the nearest word', () => {
  const words = ['customerId', 'platformCustomerId', 'createdAfter', 'createdBefore', 'limit'];
  it.each([
    ['customer', 'customerId'],
    ['customer_id', 'customerId'],
    ['CUSTOMERID', 'customerId'],
    ['createdBefor', 'createdBefore'],
    ['limits', 'limit'],
    ['limit[]', 'limit'],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('to %j is %s', (written, word) => {
    expect(nearestOf(written, words)).toBe(word);
  });
});

describe('a warning', () => {
  const warned = (...fields: string[]) => warningOf(fields.map((field) => ({ field })));

  it('names what is ignored, and what may have been meant', () => {
    const text = warningOf([{ field: 'fullname', near: 'fullName' }, { field: 'zebra' }]);
    expect(text).toBe('299 - "Ignored, not known here: fullname (did you mean fullName?), zebra."');
  });

  it('is a header whatever callers write', () => {
    const text = warned('a"b', 'c\\d', 'e\r\nSet-Cookie: f', 'g\u0000', '😀', 'h i', '\ud800');
    expect(text).toMatch(/^299 - "[ !#-[\]-~]*"$/);
    expect(new Headers({ warning: text }).get('warning')).toBe(text);
  });

  it('is short however many there are', () => {
    const text = warned(...Array.from({ length: 50 }, (_, n) => `${'x'.repeat(5_000)}${n}`));
    expect(text).toMatch(/ and more\."$/);
    expect(text.length).toBeLessThan(1_200);
  });
});
