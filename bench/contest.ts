/** What is compared, how each is measured, and the table of the figures. */
import { type Hit, type Load, shoot } from './load.ts';
import { processorTime, type Started } from './processes.ts';
import type { Counted } from './stand.ts';

export type Contestant = Pick<Load, 'next' | 'follow' | 'rate'> & {
  readonly name: string;
  readonly process: Started;
  readonly origin: string;
  /** Of this contestant's rate are the others' rates a share. */
  readonly against?: string;
  /** Statements and commits of its database so far. */
  readonly counted?: () => Promise<Counted>;
  /** Resolves when all that was asked for has come to its end. */
  readonly settled?: () => Promise<void>;
};

export type Measured = Hit & {
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly settledMs: number;
  readonly each?: Counted;
};

export async function measure(one: Contestant, connections: number, seconds: number): Promise<Measured> {
  const { process, counted, settled } = one;
  const [countedBefore, before] = [await counted?.(), processorTime(process.pid)];
  const hit = await shoot({ ...one, connections, seconds });
  const answered = performance.now();
  await settled?.();
  const settledMs = performance.now() - answered;
  const [after, countedAfter] = [processorTime(process.pid), await counted?.()];
  const share = (of: keyof Counted) =>
    ((countedAfter?.[of] ?? 0) - (countedBefore?.[of] ?? 0)) / hit.answered;
  return {
    ...hit,
    nodeMs: (after.node - before.node) / hit.answered,
    postgresMs: (after.postgres - before.postgres) / hit.answered,
    settledMs,
    ...(counted && {
      each: { statements: share('statements'), commits: share('commits'), bytes: share('bytes') },
    }),
  };
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const head = [
  ...['', '/s', 'of limit', 'p50 ms', 'p99 ms', 'Node ms', 'Postgres ms'],
  ...['statements', 'commits', 'WAL KiB', 'settled after ms', 'not 2xx'],
];
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The middle of each figure over the turns. */
function row(name: string, all: readonly Measured[], against: number): readonly string[] {
  const of = (figure: (one: Measured) => number | undefined, digits: number) => {
    const value = median(all.map((one) => figure(one) ?? Number.NaN));
    return Number.isNaN(value) ? '' : value.toFixed(digits);
  };
  return [
    name,
    of(({ perSecond }) => perSecond, 0),
    of(({ perSecond }) => perSecond / against, 2),
    of(({ p50 }) => p50, 0),
    of(({ p99 }) => p99, 0),
    of(({ nodeMs }) => nodeMs, 2),
    of(({ postgresMs }) => postgresMs, 2),
    of(({ each }) => each?.statements, 2),
    of(({ each }) => each?.commits, 2),
    of(({ each }) => each && each.bytes / 1024, 1),
    of(({ settledMs }) => settledMs, 0),
    of(({ refused }) => refused, 0),
  ];
}

/** The figures as a table in Markdown. */
export function tableOf(results: ReadonlyMap<Contestant, readonly Measured[]>): string {
  const rates = new Map(
    [...results].map(([{ name }, measured]) => [name, median(measured.map(({ perSecond }) => perSecond))]),
  );
  const rows = [...results].map(([{ name, against }, measured]) =>
    line(row(name, measured, rates.get(against ?? name) ?? Number.NaN)),
  );
  return [line(head), line(head.map(() => '---')), ...rows].join('\n');
}
