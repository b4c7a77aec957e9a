/** The answer to a question, as text. */
import type { TextRows } from '../../../infrastructure/postgres/pool.ts';
import { printable } from './printable.ts';

/** In columns that stand below each other; `–` where there is no value. */
export function asTable({ columns, rows }: TextRows): string {
  const lines = [columns, ...rows].map((row) => row.map((value) => printable(value ?? '–')));
  const widths = columns.map((_column, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const [head = [], ...rest] = lines;
  const text = [head, rule, ...rest]
    .map((line) =>
      line
        .map((value, n) => value.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
  return `${text}\n(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`;
}

/** RFC 4180; nothing where there is no value. What a spreadsheet would take for a formula stays text. */
export const asCsv = ({ columns, rows }: TextRows): string => [columns, ...rows].map(csvLine).join('\r\n');

/** One line of it. */
export const csvLine = (line: readonly (string | null)[]): string =>
  line.map((value) => (value === null ? '' : quoted(value))).join(',');

const quoted = (value: string): string => {
  const text = /^[=@\t\r]|^[+-](?!\d+(\.\d+)?$)/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
