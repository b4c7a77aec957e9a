import { setImmediate } from 'node:timers/promises';
import type { FollowedEvent } from '../../../src/domain/aggregates.ts';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { project } from '../batch.ts';
import type { Projection } from '../projection.ts';
import type { States } from '../states.ts';
import { keys } from '../write.ts';
import { type Bulk, NeedsRows } from './bulk.ts';
import { addIndexes, type Shadow, writeToShadow } from './shadow-tables.ts';

/** Events that are folded before others get their turn: those who read the next page, and write the last rows. */
const turnMax = 500;

export type Folding = {
  /** Makes rows of a page of the log. Pages have to come in order. */
  fold(page: readonly StoredEvent[]): Promise<void>;
  /** Completes the tables. */
  finish(): Promise<void>;
};

type Deps = { readonly shadow: Shadow; readonly bulk: Bulk; readonly states: States };

/**
 * Fills the tables of the models: in bulk, without indexes, until a model has to see its rows in between. From that
 * event on its tables have their indexes and it is written page by page, while the others are folded.
 */
export function foldingOf({ shadow, bulk, states }: Deps, models: readonly Projection[]): Folding {
  const inBulk = new Set(models);
  const ordinary: Projection[] = [];
  let written: Promise<void> = Promise.resolve();

  const writeOrdinary = (those: readonly Projection[], events: readonly FollowedEvent[]) =>
    writeToShadow(shadow, (transaction) => project(those, events, transaction));
  const complete = async ({ tables }: Projection) => {
    await bulk.complete(tables);
    const filled = tables.filter((table) => table in keys);
    await Promise.all(filled.map((table) => addIndexes(shadow, table)));
  };
  return {
    async fold(page) {
      const events: FollowedEvent[] = [];
      const leaving: { readonly model: Projection; readonly from: number }[] = [];
      for (let at = 0; at < page.length; at += turnMax) {
        for (const event of await states.follow(page.slice(at, at + turnMax))) {
          for (const model of inBulk) {
            try {
              const waits = bulk.project(model, event);
              if (waits) await waits;
            } catch (error) {
              if (!(error instanceof NeedsRows)) throw error;
              inBulk.delete(model);
              leaving.push({ model, from: events.length });
            }
          }
          events.push(event);
        }
        await setImmediate();
      }
      await bulk.spill();
      await written;
      if (ordinary.length > 0) written = writeOrdinary([...ordinary], events);
      // Whoever waits for it next hears of its failure.
      written.catch(() => undefined);
      for (const { model, from } of leaving) {
        await complete(model);
        await writeOrdinary([model], events.slice(from));
        ordinary.push(model);
      }
    },
    async finish() {
      await written;
      await Promise.all([...inBulk].map(complete));
    },
  };
}
