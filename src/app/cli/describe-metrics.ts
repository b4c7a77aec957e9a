/** The metrics as a page of the documentation, made from the table that they are made from themselves. */
import { type Described, metricsTable } from '../metrics-table.ts';

export const describeMetrics = (): string =>
  [
    '# Metrics',
    '',
    'Made from `src/app/metrics-table.ts` by `npm run docs:generate`.',
    '',
    '`GET /metrics` answers in Prometheus text format, without a token. Every process serves it, in every role, on its',
    '`PORT`, or at `DAYBOOK_METRICS_ADDRESS` where that is set, and there alone. The text is made once in 5 seconds at the',
    'most, and is as old as that. A counter counts what its own process does.',
    '',
    '| Metric | Type | Labels | Counted in | Meaning |',
    '| ------ | ---- | ------ | ---------- | ------- |',
    ...Object.values<Described>(metricsTable).map(rowOf),
    '| `process_…`, `nodejs_…` | | | every role | The process and its runtime: CPU, memory, event loop, garbage collection. |',
    '',
    'What to alert on is in [operations](../operations/runbook.md#what-to-alert-on).',
    '',
  ].join('\n');

function rowOf({ name, type, labels, countedIn, help, more }: Described): string {
  const roles = countedIn === 'every' ? 'every role' : inCode(countedIn);
  const meaning = more === undefined ? help : `${help} ${more}`;
  return `| ${inCode([name])} | ${type} | ${inCode(labels)} | ${roles} | ${meaning} |`;
}

const inCode = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
