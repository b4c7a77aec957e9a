/** What a service has asked of EventStoreDB, counted at its client: from the service's own metrics. */
import { freshMetrics } from './fresh-metrics.ts';

export type LogCalls = { readonly reads: number; readonly appends: number; readonly bytes: number };

export async function logCalls(origin: string): Promise<LogCalls> {
  const text = await freshMetrics(origin);
  const countOf = (series: string): number => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1) ?? 0);
  };
  return {
    reads: countOf('daybook_log_calls_total{call="read"}'),
    appends: countOf('daybook_log_calls_total{call="append"}'),
    bytes: countOf('daybook_log_appended_bytes_total'),
  };
}

/** For each of so many requests, as a table in Markdown. */
export function tableOfCalls(
  rows: readonly {
    readonly name: string;
    readonly answered: number;
    readonly from: LogCalls;
    readonly to: LogCalls;
  }[],
): string {
  const lines = rows.map(({ name, answered, from, to }) => {
    const each = (of: keyof LogCalls) => (to[of] - from[of]) / answered;
    return `| ${name} | ${each('reads').toFixed(2)} | ${each('appends').toFixed(2)} | ${(each('bytes') / 1024).toFixed(1)} |`;
  });
  return ['|  | log reads | log appends | appended KiB |', '| --- | --- | --- | --- |', ...lines].join('\n');
}
