import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/app/cli/commands/printable.ts';
import { asTable } from '../../../src/app/cli/commands/rows.ts';

describe('a value on a terminal', () => {
  it.each([
    ['Ada Lovelace – ₿ 日本語', 'Ada Lovelace – ₿ 日本語'],
    ['\u001b[31mred\u001b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
    ['one\nsigned  Token:2', 'one\\u{a}signed  Token:2'],
    ['gone\r\u0008\u007f\u009b2J', 'gone\\u{d}\\u{8}\\u{7f}\\u{9b}2J'],
    ['right\u202eto left\u2028', 'right\\u{202e}to left\\u{2028}'],
  ])('%j is one line that commands nothing', (value, shown) => expect(printable(value)).toBe(shown));

  it('is so in a table', () => {
    const text = asTable({ columns: ['na\u001bme'], rows: [['\u001b]0;owned\u0007'], [null]] });
    expect(text.split('\n')).toEqual([
      'na\\u{1b}me',
      '-------------------',
      '\\u{1b}]0;owned\\u{7}',
      '–',
      '(2 rows)',
    ]);
  });
});
