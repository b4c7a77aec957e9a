/** The trial balance as the log alone gives it: the sum of all postings, by platform and currency. */
import {
  imbalance,
  type Posting,
  postingsOf,
  type SystemAccount,
  systemAccounts,
} from '../../../../domain/books/postings.ts';

export type BookedEvent = {
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly position: bigint;
  readonly data: unknown;
  readonly metadata: { readonly platformId: string };
};

/** What is held in one currency, in minor units. `balance` is the sum of the rest: zero, or the books are wrong. */
export type Line = {
  readonly platformId: string;
  readonly currency: string;
  readonly balance: bigint;
} & Readonly<Record<SystemAccount | 'internal', bigint>>;

/** An event whose own postings do not sum to zero. */
export type Unbalanced = Pick<BookedEvent, 'id' | 'stream' | 'type' | 'position'> & {
  readonly off: Readonly<Record<string, bigint>>;
};

export type TrialBalance = {
  readonly events: number;
  readonly entries: number;
  /** By platform, then currency. */
  readonly lines: readonly Line[];
  /** Of those that are unbalanced the first ones, and how many they are. */
  readonly unbalanced: readonly Unbalanced[];
  readonly unbalancedCount: number;
  readonly isZero: boolean;
};

const groups = ['internal', ...systemAccounts] as const;
type Group = (typeof groups)[number];
type Sums = Record<Group, bigint>;
/** So many are told of one by one. */
const toldMax = 100;

const groupOf = (account: Posting['account']): Group =>
  systemAccounts.find((one) => one === account) ?? 'internal';

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** Adds up events in any order; what has been added so far is the balance at that position of the log. */
export function trialBalance() {
  const sums = new Map<string, Map<string, Sums>>();
  const unbalanced: Unbalanced[] = [];
  let [events, entries, unbalancedCount] = [0, 0, 0];
  const sumsOf = (platformId: string, currency: string): Sums => {
    const ofPlatform = sums.get(platformId) ?? new Map<string, Sums>();
    sums.set(platformId, ofPlatform);
    const found = ofPlatform.get(currency) ?? { internal: 0n, rail: 0n, 'in-flight': 0n, fees: 0n, fx: 0n };
    ofPlatform.set(currency, found);
    return found;
  };
  const lines = (): readonly Line[] =>
    [...sums]
      .flatMap(([platformId, ofPlatform]) =>
        [...ofPlatform].map(([currency, held]) => {
          const balance = groups.reduce((sum, group) => sum + held[group], 0n);
          return { platformId, currency, ...held, balance };
        }),
      )
      .toSorted((a, b) => compare(a.platformId, b.platformId) || compare(a.currency, b.currency));

  return {
    add(event: BookedEvent): void {
      events += 1;
      const entry = postingsOf(event);
      if (entry.length === 0) return;
      entries += 1;
      for (const { account, currency, minor } of entry)
        sumsOf(event.metadata.platformId, currency)[groupOf(account)] += minor;
      const off = imbalance(entry);
      if (off.size === 0) return;
      unbalancedCount += 1;
      const { id, stream, type, position } = event;
      if (unbalanced.length < toldMax)
        unbalanced.push({ id, stream, type, position, off: Object.fromEntries(off) });
    },
    result(): TrialBalance {
      const all = lines();
      const isZero = unbalancedCount === 0 && all.every(({ balance }) => balance === 0n);
      return { events, entries, lines: all, unbalanced, unbalancedCount, isZero };
    },
  };
}

/** As a table, amounts in minor units, and what is wrong below it. */
export function describeTrialBalance(result: TrialBalance): string {
  const { events, entries, lines, unbalanced, unbalancedCount, isZero } = result;
  const head = ['platform', 'currency', ...groups, 'balance'];
  const rows = lines.map((line) => [
    line.platformId,
    line.currency,
    ...groups.map((group) => String(line[group])),
    String(line.balance),
  ]);
  const widths = head.map((_title, n) => Math.max(...[head, ...rows].map((row) => row[n]?.length ?? 0)));
  const aligned = (row: readonly string[]) =>
    row.map((cell, n) => (n < 2 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ');
  const wrong = unbalanced.map(
    ({ position, type, stream, id, off }) =>
      `${type} ${id} of ${stream} at ${position} is off by ${Object.entries(off)
        .map(([currency, minor]) => `${minor} ${currency}`)
        .join(', ')}`,
  );
  const verdict = isZero
    ? 'The trial balance is zero.'
    : `The trial balance is NOT zero. Entries that do not balance: ${unbalancedCount}.`;
  return [
    ...[head, ...rows].map(aligned),
    ...wrong,
    `${entries} entries in ${events} events. ${verdict}`,
  ].join('\n');
}
