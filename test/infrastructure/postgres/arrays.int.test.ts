import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrayText } from '../../../src/infrastructure/postgres/arrays.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';

it('is read by Postgres as what was written', async () => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 1, name: 'test-arrays' });
  const read = async (text: string) =>
    (await pool.query<{ read: unknown[] }>('select $1::text[] as read', [text])).rows[0]?.read;
  const odd = ['', 'null', 'NULL', 'a,b', '{}', '"', '\\', ' ', 'a b', "'", 'é', '\n', 'x"\\"', null];
  expect(await read(arrayText(odd))).toEqual(odd);
  expect(await read(arrayText([]))).toEqual([]);
  expect(await read(arrayText([1, 2n, true, undefined]))).toEqual(['1', '2', 'true', null]);
  // Postgres stores no NUL.
  const element = fc.option(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\u0000', '')));
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 5 }), async (elements) => {
      expect(await read(arrayText(elements))).toEqual(elements);
    }),
  );
  await pool.end();
});
