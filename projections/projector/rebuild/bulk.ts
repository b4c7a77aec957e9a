/**
 * Rows of all read models as they come to be, folded in memory. Where they are more than may be kept they are written,
 * while the folding goes on.
 */
import type { FollowedEvent } from '../../../src/domain/aggregates.ts';
import type { Database } from '../../database.ts';
import type { Projection } from '../projection.ts';
import { restoredIn } from '../restored.ts';
import { type NewPosting, type Rows, sumOf } from '../rows.ts';
import { keyOf, keys, type ModelTable } from '../write.ts';
import type { Fields, Latest, Staging } from './staging.ts';

/** A read model has to see its rows in between. The event has to be projected anew; nothing was added to sums for it. */
export class NeedsRows extends Error {
  override name = 'NeedsRows';
}

export type Bulk = {
  /** Throws `NeedsRows` for a model that cannot be folded in memory alone. */
  project(model: Projection, event: FollowedEvent): void | Promise<void>;
  /** Writes all that is kept where it is more than may be. Waits until what was written before has arrived. */
  spill(): Promise<void>;
  /** Writes what is kept of these tables for the last time; they are complete after that. */
  complete(tables: readonly (keyof Database)[]): Promise<void>;
};

type Kept = Map<string, Latest>;

export function bulkOf(stagingOf: (table: ModelTable) => Staging, rowsMax: number): Bulk {
  const stagings = new Map<ModelTable, Staging>();
  const kept = new Map<ModelTable, Kept>();
  let writing: Promise<unknown> = Promise.resolve();

  const keptOf = (table: ModelTable): Kept => {
    let rows = kept.get(table);
    if (!rows) {
      rows = new Map();
      kept.set(table, rows);
    }
    return rows;
  };
  const set = (table: ModelTable, row: Fields, removed: boolean) => {
    keptOf(table).set(keyOf(table, row), { row, removed });
  };
  const running = runningFigures();
  const rows: Rows = {
    put: (table, row) => set(table, row, false),
    remove: (table, key) => set(table, key, true),
    post(posting) {
      set('postings', { ...posting, ...running(posting) }, false);
      const row = sumOf(posting);
      const sums = keptOf('ledger_balances');
      const key = keyOf('ledger_balances', row);
      const before = sums.get(key)?.row.minor;
      const minor = typeof before === 'bigint' ? before + row.minor : row.minor;
      sums.set(key, { row: { ...row, minor }, removed: false });
    },
    later() {
      throw new NeedsRows('something is written after the rows');
    },
    async now() {
      throw new NeedsRows('the rows are read in between');
    },
  };
  const stagingFor = (table: ModelTable): Staging => {
    const staging = stagings.get(table) ?? stagingOf(table);
    stagings.set(table, staging);
    return staging;
  };
  /** Writes what is kept of a table. */
  const add = async (table: ModelTable): Promise<void> => {
    const changes = kept.get(table);
    kept.delete(table);
    if (changes) await stagingFor(table).add(changes);
  };
  return {
    project(model, event) {
      if (restoredIn(event)) throw new NeedsRows('rows of a platform are removed');
      return model.project(event, rows);
    },
    async spill() {
      let count = 0;
      for (const { size } of kept.values()) count += size;
      if (count < rowsMax) return;
      await writing;
      writing = Promise.all([...kept.keys()].map(add));
      // Whoever waits for it next hears of its failure.
      writing.catch(() => undefined);
    },
    async complete(tables) {
      await writing;
      const own = tables.filter((table): table is ModelTable => table in keys);
      await Promise.all(
        own.map(async (table) => {
          await add(table);
          await stagingFor(table).finish();
        }),
      );
    },
  };
}

/** What each posting adds up to, where all are posted in order from the first one on. */
function runningFigures() {
  const held = new Map<string, bigint>();
  let recorded_high = new Date(0);
  return (posting: NewPosting) => {
    const sum = sumOf(posting);
    const key = keyOf('ledger_balances', sum);
    const after = (held.get(key) ?? 0n) + sum.minor;
    held.set(key, after);
    if (posting.at > recorded_high) recorded_high = posting.at;
    return { recorded_high, projected_after: null, held: after };
  };
}
