import { expect, it } from 'vitest';
import { statementForms } from '../../../src/app/cli/commands/audit/statement-forms.ts';
import { untilInWords } from '../../../src/app/cli/commands/audit/until.ts';

const at = new Date('2026-11-02T09:00:00Z');

it.each([
  ['at the end of the log', undefined],
  ['at position 7', { position: 7n }],
  ['by what was recorded until 2026-11-02T09:00:00.000Z', { clock: 'recorded', at }],
  ['by what had happened until 2026-11-02T09:00:00.000Z', { clock: 'happened', at }],
] as const)('what an auditor asks about is told in words: %s', (words, until) => {
  expect(untilInWords(until)).toBe(words);
});

it.each(['text', 'html'] as const)('a statement says which clock it goes by, as %s', (form) => {
  const sums = { opening: 0n, closing: 0n, in: 0n, out: 0n, entries: 0 };
  const statement = {
    account: 'rail',
    currency: 'USD',
    clock: 'happened',
    from: at,
    to: at,
    ...sums,
  } as const;
  expect(statementForms[form].head(statement)).toContain('by what had happened');
});
