import { expect, it } from 'vitest';
import { type Change, writeAt } from '../../projections/projector/write.ts';

const place = { name: 'projections', from: 1n, to: 2n, token: 3n, erasures: 4n };
const textOf = (...changes: readonly Change[]) => writeAt(changes, place).text;
const kind = 'put';
const row = { id: 'Customer:1', email: 'e' };
const customer: Change = { kind, table: 'customers', rows: [row] };
const others: readonly Change[] = [
  { ...customer, table: 'agents' },
  { ...customer, kind: 'change' },
  { ...customer, rows: [{ id: 'Customer:1' }] },
  { ...customer, rows: [{ id: 'Customer:1', region: 'e' }] },
];

it('batches that write the same columns of the same tables are one statement, whatever is in their rows', () => {
  const more: Change = { ...customer, rows: [row, { id: 'Customer:2', email: 'f' }] };
  expect(textOf(more)).toBe(textOf(customer));
  expect(writeAt([more], place).values.at(-1)).toBe(JSON.stringify(more.rows));
});

it('batches that write other tables, other columns or in another way are other statements', () => {
  const all = [[customer], [customer, ...others], [...others, customer], ...others.map((one) => [one])];
  expect(new Set(all.map((changes) => textOf(...changes))).size).toBe(all.length);
  for (const changes of all)
    for (const [n, { table }] of changes.entries()) {
      const part = textOf(...changes).split(`part${n} as (`)[1];
      expect(part?.split('json_populate_recordset')[0]).toContain(table);
    }
});

it('rows of one table that have different columns are not written', () => {
  const rows = [row, { id: 'Customer:2' }];
  expect(() => textOf({ ...customer, rows })).toThrow('rows of customers with different columns');
});
