/** What a batch of events writes after its rows. */
import { expect, it } from 'vitest';
import type { WriteDb } from '../../../projections/database.ts';
import { project } from '../../../projections/projector/batch.ts';
import type { Projection } from '../../../projections/projector/projection.ts';
import type { FollowedEvent } from '../../../src/domain/aggregates.ts';

const events = [1n, 2n, 3n].map((position) => ({ of: 'account', position }) as unknown as FollowedEvent);
const db = {} as WriteDb;

it('is written once, though rows are read in between: it takes locks, and must take them in one order', async () => {
  const written: unknown[] = [];
  const together = async (items: readonly bigint[]) => void written.push([...items]);
  const model: Projection = {
    name: 'model',
    tables: [],
    async project({ position }, rows) {
      rows.later(together, position);
      await rows.now(async () => undefined);
    },
  };
  await project([model], events, db);
  expect(written).toEqual([[1n, 2n, 3n]]);
});
