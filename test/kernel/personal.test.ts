import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { personal } from '../../src/kernel/codecs.ts';
import { erased, hasTexts, personalPathsOf, placesIn, putBack, takeOut } from '../../src/kernel/personal.ts';

const schema = z.object({
  id: z.string(),
  name: personal(z.string()),
  note: personal(z.string()).optional(),
  address: personal(z.object({ line1: z.string(), country: z.string() })).optional(),
  end: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('NAMED'), person: personal(z.string()) }),
    z.object({
      kind: z.literal('BANK'),
      account: personal(z.object({ accountType: z.string(), number: z.string() })),
    }),
  ]),
  told: personal(z.record(z.string(), z.string())).optional(),
  marks: z.array(z.object({ at: z.string(), by: personal(z.string()).nullable() })),
});
const paths = personalPathsOf(schema);

const data = {
  id: 'a',
  name: 'Ada',
  address: { line1: 'St James 1', country: 'GB' },
  end: { kind: 'BANK', account: { accountType: 'GBP', number: '12' } },
  told: { b: 'two', a: 'one' },
  marks: [
    { at: 'x', by: 'Grace' },
    { at: 'y', by: null },
  ],
};

describe('personal texts', () => {
  it('are found by what the schema marks', () => {
    expect(paths).toEqual([
      { path: ['address'], isOptional: true },
      { path: ['end', 'account'], isOptional: false },
      { path: ['end', 'person'], isOptional: false },
      { path: ['marks', '*', 'by'], isOptional: false },
      { path: ['name'], isOptional: false },
      { path: ['note'], isOptional: true },
      { path: ['told'], isOptional: true },
    ]);
  });

  it('are looked for without taking them out', () => {
    const none = {
      id: 'a',
      end: { kind: 'BANK', account: { accountType: 'GBP' } },
      marks: [{ at: 'x', by: null }],
    };
    expect([hasTexts(data, paths), hasTexts(none, paths), hasTexts({}, paths)]).toEqual([true, false, false]);
    for (const some of [
      { name: 'Ada' },
      { end: { person: 'Ada' } },
      { end: { account: { accountType: 'GBP', number: '12' } } },
      { told: { a: 'one' } },
      { marks: [{ by: null }, { by: 'Grace' }] },
    ])
      expect([
        hasTexts({ ...none, ...some }, paths),
        takeOut({ ...none, ...some }, paths).texts.length,
      ]).toEqual([true, 1]);
  });

  it('are taken out and put back, and everything else stays', () => {
    const { data: rest, texts, places } = takeOut(data, paths);
    expect(rest).toEqual({
      id: 'a',
      name: 'sealed',
      address: { line1: 'sealed', country: 'sealed' },
      end: { kind: 'BANK', account: { accountType: 'GBP', number: 'sealed' } },
      told: { a: 'sealed', b: 'sealed' },
      marks: [
        { at: 'x', by: 'sealed' },
        { at: 'y', by: null },
      ],
    });
    expect(Object.fromEntries(places.map((place, n) => [place, texts[n]]))).toEqual({
      name: 'Ada',
      'address.line1': 'St James 1',
      'address.country': 'GB',
      'end.account.number': '12',
      'told.a': 'one',
      'told.b': 'two',
      'marks.0.by': 'Grace',
    });
    expect(placesIn(rest, paths)).toEqual(places);
    expect(putBack(rest, paths, texts)).toEqual(data);
    expect(data.name).toBe('Ada');
  });

  it('may be the very word that stands for them', () => {
    const own = { ...data, name: 'sealed' };
    const { data: rest, texts } = takeOut(own, paths);
    expect(putBack(rest, paths, texts)).toEqual(own);
  });

  it('are not there any more, or say so, once they are erased', () => {
    expect(erased(takeOut(data, paths).data, paths)).toEqual({
      id: 'a',
      name: 'erased',
      end: { kind: 'BANK', account: { accountType: 'GBP', number: 'erased' } },
      marks: [
        { at: 'x', by: 'erased' },
        { at: 'y', by: null },
      ],
    });
    // What was never taken out stays.
    expect(erased(data, paths)).toEqual(data);
  });
});
