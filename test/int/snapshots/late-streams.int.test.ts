import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { clientOf } from '../../support/http/client.ts';
import { expectProblem } from '../../support/http/problems.ts';
import { query } from '../../support/postgres/database.ts';
import { openLog } from '../../support/postgres/read-models.ts';
import { startTestService, type TestService } from '../../support/processes/service.ts';
import { fund, quoteBody } from '../../support/resources/flows.ts';
import { balanceOf, quote } from '../../support/resources/payments.ts';
import { expectRebuilt, restoreSnapshot } from '../../support/resources/snapshots.ts';
import { withSnapshot } from './with-snapshot.ts';

/** The network delivers what is selected here after the platform's streams were counted, before it goes back. */
const deliverMeanwhile = (events: string) => `
create function deliver_meanwhile() returns trigger language plpgsql as $$
begin
  insert into daybook_log.events (position, stream, revision, id, type, data, metadata)
    select (select max(position) + 1 from daybook_log.events), stream, revision, gen_random_uuid(), type, data, metadata
    from (${events}) as late;
  return null;
end $$;
create trigger it_is_delivered after update on daybook.sandbox_snapshots
  for each row when (old.restoring is null and new.restoring is not null) execute function deliver_meanwhile()`;

/** A quote like one that is there. */
const quoteLike = (uuid: string, late: string) => `
  select replace(stream, '${uuid}', '${late}') as stream, 0 as revision, type,
    replace(data::text, '${uuid}', '${late}')::jsonb as data, metadata
  from daybook_log.events where stream = 'transaction-${uuid}' and type = 'QuoteCreated'`;

/** A deposit like one that is there, on the same account. */
const depositLike = (uuid: string, late: string) => `
  select stream, (select max(revision) + 1 from daybook_log.events as own where own.stream = one.stream) as revision, type,
    replace(data::text, '${uuid}', '${late}')::jsonb as data, metadata
  from daybook_log.events as one where type = 'AccountCredited' and data->>'transactionId' = 'Transaction:${uuid}'`;

/** The log takes one way back, and no second one. */
const refuseSecond = `
create function refuse_second() returns trigger language plpgsql as $$
begin
  if exists (select from added where type = 'PlatformStateRestored' and data->>'generation' = '2') then
    raise exception 'no room' using errcode = 'disk_full';
  end if;
  return null;
end $$;
create trigger second_ways_are_refused after insert on daybook_log.events
  referencing new table as added for each statement execute function refuse_second()`;

/** A platform with a snapshot of 1,000, whose way back a quote overtakes. */
async function overtaken() {
  const { service, account, payee, ...rest } = await withSnapshot();
  const { client, databaseUrl } = service;
  const quoted = await quote(client, quoteBody(account.id, payee.id, { lockedCurrencyAmount: 100 }));
  const late = randomUUID();
  await query(databaseUrl, deliverMeanwhile(quoteLike(uuidOf(quoted.id), late)));
  return { service, account, ...rest, late };
}

type Overtaken = Pick<Awaited<ReturnType<typeof overtaken>>, 'account' | 'customer' | 'late'>;

async function expectLeft(
  { client, databaseUrl }: Pick<TestService, 'client' | 'databaseUrl'>,
  { account, customer, late }: Overtaken,
) {
  expectProblem(await client.get(`/quotes/Quote:${late}`), 404, 'QUOTE_NOT_FOUND');
  await fund(client, account.id, 1);
  expect(await balanceOf(client, customer.id)).toBe(1_001);
  await expectRebuilt(databaseUrl, await openLog(databaseUrl));
  const ways = await query(
    databaseUrl,
    `select data->'generation' as generation, data->'streams' as streams from daybook_log.events
     where type = 'PlatformStateRestored' order by position`,
  );
  expect(ways).toMatchObject([{ generation: 1 }, { generation: 2, streams: [`transaction-${late}`] }]);
}

it('a platform leaves what comes to the log just before it goes back, too', async () => {
  const { service, ...rest } = await overtaken();
  await restoreSnapshot(service.client, rest.snapshot);
  await expectLeft(service, rest);
});

it('a process that starts sees to it where one has ended before it could', async () => {
  const { service, goHalfway, ...rest } = await overtaken();
  const { databaseUrl, credentials } = service;
  await query(databaseUrl, refuseSecond);
  await goHalfway();
  await service.stop();
  await query(databaseUrl, 'drop trigger second_ways_are_refused on daybook_log.events');
  const next = await startTestService({ databaseUrl });
  onTestFinished(next.stop);
  await expectLeft({ ...next, client: clientOf(next.url, credentials) }, rest);
});

it('nothing follows from what a platform has left, though it is followed meanwhile', async () => {
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => void lines.push(line) });
  const { service, account, customer, snapshot } = await withSnapshot({ log });
  const { client, databaseUrl } = service;
  const [deposit] = (await client.get('/transactions')).body.data;
  const late = randomUUID();
  await query(databaseUrl, deliverMeanwhile(depositLike(uuidOf(deposit.id), late)));
  await restoreSnapshot(client, snapshot);
  await fund(client, account.id, 1);
  expect(await balanceOf(client, customer.id)).toBe(1_001);
  const { body: payments } = await client.get('/transactions');
  expect(payments.data).toHaveLength(2);
  expect(
    await query(databaseUrl, 'select type from daybook_log.events where stream like $1', [`%${late}%`]),
  ).toEqual([]);
  expect(lines).toEqual([]);
  await expectRebuilt(databaseUrl, await openLog(databaseUrl));
});
