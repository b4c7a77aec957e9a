/** How the page of limits writes its tables. */

/** One line of a table: what is bounded, and the bound. */
export type Limit = readonly [what: string, bound: string];

export const section = (title: string, words: readonly string[], limits: readonly Limit[]): string[] => [
  `## ${title}`,
  '',
  ...words,
  ...(words.length > 0 ? [''] : []),
  '| What | Bound |',
  '| --- | --- |',
  ...limits.map(([what, bound]) => `| ${what} | ${bound} |`),
  '',
];

export const count = (n: number | bigint): string => n.toLocaleString('en-US');

const units = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
] as const;

export function bytes(n: number): string {
  const unit = units.find(([size]) => n >= size && n % size === 0);
  return unit ? `${count(n / unit[0])} ${unit[1]}` : `${count(n)} bytes`;
}

const spans = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

export function duration(ms: number): string {
  const span = spans.find(([size]) => ms >= size && ms % size === 0);
  return span ? `${count(ms / span[0])} ${span[1]}` : `${count(ms)} ms`;
}
