/** Rates that are read again and again, and refused where they jump, and once they are too old. */
import { jumpsBetween } from '../domain/money/rate-jumps.ts';
import type { Rates } from '../domain/money/rates.ts';
import { parseRates } from '../domain/money/rates-file.ts';
import type { RatesSource } from '../domain/ports/rates-source.ts';
import { answeredWithin } from '../infrastructure/deadlines/within.ts';
import { readText } from '../infrastructure/text/bounded-text.ts';
import { Rejected } from '../kernel/rejected.ts';

const answerMaxMs = 10_000;
const retryAfterSeconds = 30;

export type LiveRates = Rates & {
  /** Reads them anew. Throws, with those from before kept, where that fails, and where they are too far from these. */
  readonly refresh: () => Promise<void>;
  readonly ageMs: () => number;
  readonly areStale: () => boolean;
};

type Deps = {
  readonly now: () => Date;
  readonly ageMaxMs: number;
  /** By how many percent a rate may change from one reading to the next. */
  readonly jumpMaxPercent: number;
};

/** Throws where there are none to begin with. Reading `table` of rates that are too old throws `Rejected`. */
export async function openLiveRates(
  source: RatesSource,
  { now, ageMaxMs, jumpMaxPercent }: Deps,
): Promise<LiveRates> {
  const read = async (): Promise<Rates> => {
    const content = await answeredWithin(answerMaxMs, async (asked) => source.read(asked));
    const table = parseRates(content);
    const readAt = now();
    const updatedAt = table.updatedAt && table.updatedAt < readAt ? table.updatedAt : readAt;
    return { table, updatedAt };
  };
  let current = await read();
  const ageMs = () => now().getTime() - current.updatedAt.getTime();
  const areStale = () => ageMs() > ageMaxMs;
  return {
    get table() {
      if (areStale()) throw tooOld();
      return current.table;
    },
    get updatedAt() {
      return current.updatedAt;
    },
    async refresh() {
      const next = await read();
      // A copy that lags behind brings nothing new.
      if (next.updatedAt < current.updatedAt) return;
      const jumps = jumpsBetween(current.table, next.table, jumpMaxPercent);
      if (jumps.length > 0)
        throw new Error(
          `rates are not taken that change by more than ${jumpMaxPercent} %: ${jumps.join(', ')}`,
        );
      current = next;
    },
    ageMs,
    areStale,
  };
}

const tooOld = () =>
  new Rejected(
    'SERVICE_UNAVAILABLE',
    `Exchange rates are too old to price a payment. Send the request again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );

/** Rates at an address that an operator has named. */
export const ratesAt = (url: string): RatesSource => ({
  async read({ signal }) {
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': 'Daybook' },
      redirect: 'error',
      signal,
    });
    const text = await readText(response);
    if (response.status !== 200) throw new Error(`the address answered ${response.status}`);
    return text;
  },
});
