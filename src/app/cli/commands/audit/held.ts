/** The running sums of the ledger: what a system account, or all internal accounts of a platform together, hold. */
import type { CopiedPosting, CopiedSum } from '../../../../../projections/auditor/copied-books.ts';
import { sumOf } from '../../../../../projections/projector/rows.ts';
import { keyOf } from '../../../../../projections/projector/write.ts';

type Booked = Pick<CopiedPosting, 'platform_id' | 'account' | 'currency' | 'minor'>;

export type SumDifference = {
  readonly account: string;
  readonly currency: string;
  readonly platformId: string;
  readonly copied: bigint | undefined;
  readonly logged: bigint | undefined;
};

export type Held = {
  /** Takes a posting of the log, and says what its row has to hold; `undefined` where that cannot be told. */
  readonly after: (posting: Booked, row: CopiedPosting) => bigint | undefined;
  /** Sums that are not those of the postings so far. */
  readonly differences: (copied: readonly CopiedSum[]) => readonly SumDifference[];
};

export function heldByPostings(): Held {
  const sums = new Map<string, CopiedSum>();
  /** Postings whose rows were made after those of later ones, which do not count them. */
  const late = new Map<string, { readonly minor: bigint; readonly until: bigint }[]>();

  return {
    after(posting, { position, projected_after: until, recorded_high }) {
      const own = sumOf(posting);
      const key = keyOf('ledger_balances', own);
      const minor = own.minor + (sums.get(key)?.minor ?? 0n);
      sums.set(key, { ...own, minor });
      const lateOnes = late.get(key) ?? [];
      if (until !== null) late.set(key, [...lateOnes, { minor: own.minor, until }]);
      if (until !== null || recorded_high === null) return undefined;
      return lateOnes.reduce((sum, one) => (one.until >= position ? sum - one.minor : sum), minor);
    },
    differences(copied) {
      const rows = new Map(copied.map((row) => [keyOf('ledger_balances', row), row]));
      return [...new Map([...sums, ...rows])].flatMap(
        ([key, { account, currency, platform_id: platformId }]) => {
          const [there, here] = [sums.get(key)?.minor, rows.get(key)?.minor];
          return there === here ? [] : [{ account, currency, platformId, copied: here, logged: there }];
        },
      );
    },
  };
}
