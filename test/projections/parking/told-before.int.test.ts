import { expect, it } from 'vitest';
import { listParked, retryParked } from '../../../projections/kept/parked.ts';
import { projector } from '../../../projections/projector/projector.ts';
import { createOutbox } from '../../../src/api/webhooks/content.ts';
import { platformId } from '../../support/builders/identities.ts';
import { depositedLog } from '../../support/log/long-streams.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';

const log = depositedLog(4);
const end = log.at(-1)?.position ?? 0n;

/** Books of which a restore says that platforms were told of everything, with what its backup says was set aside. */
async function restoredWith(parked: number) {
  const { db, url } = await emptyBooks();
  const { id, type, stream, position } = log[parked] ?? expect.unreachable();
  await query(
    url,
    `insert into daybook.webhook_endpoints (platform_id, environment, url)
     values ($1, 'sandbox', 'https://platform.example/hooks')`,
    [platformId],
  );
  await query(
    url,
    `insert into daybook.parked_work (consumer, stream, revision, position, event_id, type, error, next_try_at)
     values ('webhooks', $1, $2, $3, $4, $5, 'Error: it could not be told', now())`,
    [stream, parked, position, id, type],
  );
  const store = {
    read: async (name: string, from = 0, most?: number) =>
      log.filter((event) => event.stream === name && event.revision >= from).slice(0, most),
    last: async () => end,
  };
  const consumer = projector({ db, store, passed: () => undefined, extra: [createOutbox(end, 'sandbox')] });
  await consumer.consume(log);
  const told = () =>
    query<{ position: string }>(url, 'select position::text from daybook.webhook_events order by position');
  return { db, consumer, told };
}

it('what was set aside before a restore is told when it is tried again, and nothing from before it', async () => {
  const { db, consumer, told } = await restoredWith(2);
  expect(await told()).toEqual([]);
  await retryParked(db, undefined);
  await consumer.retry();
  expect(await told()).toEqual(log.slice(2).map(({ position }) => ({ position: `${position}` })));
  expect(await listParked(db, 10)).toEqual([]);
});
