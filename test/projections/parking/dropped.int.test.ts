import { expect, it } from 'vitest';
import { dropParked, listParked, retryParked } from '../../../projections/kept/parked.ts';
import type { Projection } from '../../../projections/projector/projection.ts';
import { projector } from '../../../projections/projector/projector.ts';
import { depositedLog } from '../../support/log/long-streams.ts';
import { emptyBooks, holdProjector } from '../../support/postgres/read-models.ts';

const log = depositedLog(4);
const idOf = (revision: number) => log[revision]?.id ?? '';

/** Read models that have come to a revision, of which one fails for those that are named. */
async function failingFor(failing: ReadonlySet<number>, reached: number) {
  const { db, url } = await emptyBooks();
  const seen: number[] = [];
  const model: Projection = {
    name: 'fragile',
    tables: [],
    project({ revision }) {
      if (failing.has(revision)) throw new Error(`no row can be made of ${revision}`);
      seen.push(revision);
      return undefined;
    },
  };
  const store = {
    read: async (stream: string, from = 0, most?: number) =>
      log.filter((event) => event.stream === stream && event.revision >= from).slice(0, most),
    last: async () => log.at(-1)?.position ?? 0n,
  };
  const passed = () => undefined;
  const consumer = projector({ db, store, passed, setAside: () => undefined, extra: [model] });
  await consumer.consume(log.slice(0, reached + 1));
  seen.length = 0;
  return {
    url,
    seen,
    consume: (from: number) => consumer.consume(log.slice(from)),
    parked: () => listParked(db, 10),
    drop: (revision: number) => dropParked(db, store, idOf(revision)),
    retry: async (revision: number) => {
      const many = await retryParked(db, idOf(revision));
      await consumer.retry();
      return many;
    },
  };
}

it('the next event of the stream is parked in its place, and is given up by its own name alone', async () => {
  const { seen, parked, drop, retry } = await failingFor(new Set([1, 2]), 4);
  const [{ event_id } = {}] = await parked();
  expect(event_id).toBe(idOf(1));
  expect(await drop(1)).toBe(1);
  const next = { revision: 2, event_id: idOf(2), position: 3n, type: 'AccountCredited' };
  expect(await parked()).toMatchObject([{ ...next, attempts: 0, error: expect.stringMatching(/before it/) }]);
  expect(await drop(1)).toBe(0);
  expect(await retry(2)).toBe(1);
  expect(await parked()).toMatchObject([{ ...next, attempts: 1, error: 'Error: no row can be made of 2' }]);
  expect([await drop(1), await retry(1)]).toEqual([0, 0]);
  expect(await drop(2)).toBe(1);
  expect(await retry(3)).toBe(1);
  expect([await parked(), seen]).toEqual([[], [3, 4]]);
});

it('nothing is parked any more where the read models have come to no later event of the stream', async () => {
  const { seen, consume, parked, drop } = await failingFor(new Set([1]), 1);
  expect(await drop(1)).toBe(1);
  expect(await parked()).toEqual([]);
  await consume(2);
  expect([await parked(), seen]).toEqual([[], [2, 3, 4]]);
});

it('waits for events that are being projected, which are not left out', async () => {
  const { url, seen, consume, parked, drop, retry } = await failingFor(new Set([1]), 1);
  const release = await holdProjector(url);
  const consumed = consume(2);
  const dropped = drop(1);
  await release();
  expect([await dropped, await consumed]).toEqual([1, undefined]);
  if ((await parked()).length > 0) await retry(2);
  expect([await parked(), seen]).toEqual([[], [2, 3, 4]]);
});
