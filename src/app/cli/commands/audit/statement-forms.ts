/** The forms of a statement: to read, for a spreadsheet, for a program, and a page to print. */
import type { Clock } from '../../../../domain/books/clocks.ts';
import { inWords, majorUnits } from '../../../../domain/money/in-words.ts';
import { escapedForHtml } from '../../../../infrastructure/text/html.ts';
import { stringify } from '../../../../kernel/json.ts';
import { csvLine } from '../rows.ts';
import type { Entry } from './entries.ts';
import { inPast } from './until.ts';

export type Statement = {
  readonly account: string;
  readonly currency: string;
  readonly clock: Clock;
  readonly from: Date;
  readonly to: Date;
  /** In minor units, as the others. */
  readonly opening: bigint;
  readonly closing: bigint;
  readonly in: bigint;
  readonly out: bigint;
  readonly entries: number;
};

type Form = {
  readonly head: (statement: Statement) => string;
  /** `n` counts from 0. */
  readonly line: (entry: Entry, n: number) => string;
  readonly foot: (statement: Statement) => string;
};

const figures = ['opening', 'in', 'out', 'closing'] as const;
const major = (minor: bigint, currency: string) => majorUnits({ minor, currency });
const moments = ({ moments: { happened, recorded } }: Entry) =>
  ({ happenedAt: happened.toISOString(), recordedAt: recorded.toISOString() }) as const;
const periodOf = ({ from, to }: Statement) => `${from.toISOString()} to ${to.toISOString()}`;

const columns = [
  'position',
  'recordedAt',
  'happenedAt',
  'type',
  'transactionId',
  'actor',
  'currency',
  'minor',
  'amount',
  'balanceMinor',
  'balance',
  'eventId',
] as const;

function row(entry: Entry): Readonly<Record<(typeof columns)[number], string>> {
  const { position, type, transactionId = '', actor, currency, minor, balance, eventId } = entry;
  return {
    position: String(position),
    ...moments(entry),
    type,
    transactionId,
    actor,
    currency,
    minor: String(minor),
    amount: major(minor, currency),
    balanceMinor: String(balance),
    balance: major(balance, currency),
    eventId,
  };
}

const text: Form = {
  head: (statement) =>
    `${statement.account}, ${periodOf(statement)}, by what ${inPast[statement.clock]}\n` +
    `opening ${inWords({ minor: statement.opening, currency: statement.currency })}\n`,
  line: (entry) => {
    const { recordedAt } = moments(entry);
    const [amount, balance] = [major(entry.minor, entry.currency), major(entry.balance, entry.currency)];
    return `${recordedAt}  ${amount.padStart(18)}  ${balance.padStart(18)}  ${entry.transactionId ?? entry.type}\n`;
  },
  foot: ({ currency, entries, closing, ...sums }) =>
    `closing ${inWords({ minor: closing, currency })}: ${entries} entries, in ${major(sums.in, currency)}, out ${major(sums.out, currency)}\n`,
};

const csv: Form = {
  head: () => `${csvLine(columns)}\r\n`,
  line: (entry) => {
    const cells = row(entry);
    return `${csvLine(columns.map((column) => cells[column]))}\r\n`;
  },
  foot: () => '',
};

const json: Form = {
  head: ({ from, to, ...rest }) => {
    const head = { ...rest, from: from.toISOString(), to: to.toISOString(), entryCount: rest.entries };
    const { entries: _entries, ...shown } = head;
    return `${stringify(shown).slice(0, -1)},"entries":[`;
  },
  line: (entry, n) => {
    const { position, type, transactionId, actor, currency, minor, balance, eventId } = entry;
    const booked = {
      position,
      eventId,
      type,
      transactionId,
      actor,
      ...moments(entry),
      currency,
      minor,
      balance,
    };
    return `${n > 0 ? ',' : ''}\n${stringify(booked)}`;
  },
  foot: () => '\n]}\n',
};

const cell = (value: string, kind = '') => `<td${kind && ` class="${kind}"`}>${escapedForHtml(value)}</td>`;

const html: Form = {
  head: (statement) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Statement of ${escapedForHtml(statement.account)}</title>
<style>
body { font: 10pt/1.4 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2rem 0.5rem; text-align: left; vertical-align: top; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
@page { margin: 1.5cm; }
@media print { body { margin: 0; } }
</style>
</head>
<body>
<h1>Statement</h1>
<p>${escapedForHtml(statement.account)}, ${escapedForHtml(statement.currency)}<br>${periodOf(statement)}, by what ${inPast[statement.clock]}<br>${statement.entries} entries</p>
<table><tbody>
${figures.map((name) => `<tr><th>${name}</th>${cell(inWords({ minor: statement[name], currency: statement.currency }), 'n')}</tr>`).join('\n')}
</tbody></table>
<table>
<thead><tr><th>Recorded</th><th>Happened</th><th>Entry</th><th>Payment</th><th class="n">Amount</th><th class="n">Balance</th></tr></thead>
<tbody>
`,
  line: (entry) => {
    const { recordedAt, happenedAt, type, transactionId, amount, balance } = row(entry);
    const texts = [recordedAt, happenedAt, type, transactionId].map((value) => cell(value)).join('');
    return `<tr>${texts}${cell(amount, 'n')}${cell(balance, 'n')}</tr>\n`;
  },
  foot: () => '</tbody>\n</table>\n</body>\n</html>\n',
};

export const statementForms = { text, csv, json, html } as const satisfies Record<string, Form>;
export type StatementForm = keyof typeof statementForms;
