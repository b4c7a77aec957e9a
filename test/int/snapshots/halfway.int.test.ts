import { expect, it } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { expectProblem } from '../../support/http/problems.ts';
import { query } from '../../support/postgres/database.ts';
import { startTestService } from '../../support/processes/service.ts';
import { eventually, expectStatus, fund, payoutParties } from '../../support/resources/flows.ts';
import { balanceOf } from '../../support/resources/payments.ts';
import { restoreSnapshot, takeSnapshot } from '../../support/resources/snapshots.ts';

/** The log takes the copies of some streams, and not those of accounts. */
const refuseCopies = `
create function refuse_copies() returns trigger language plpgsql as $$
begin
  if exists (select from added where metadata ? 'copyOf' and stream like 'account-%') then
    raise exception 'no room' using errcode = 'disk_full';
  end if;
  return null;
end $$;
create trigger copies_are_refused after insert on daybook_log.events
  referencing new table as added for each statement execute function refuse_copies()`;

it('a platform whose way back is broken off is shown to nobody until it is there', async () => {
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => void lines.push(line) });
  const service = await startTestService({ log });
  const { client, databaseUrl } = service;
  const { customer, account } = await payoutParties(client, 1_000);
  const snapshot = await takeSnapshot(client);
  await fund(client, account.id, 77);
  await query(databaseUrl, refuseCopies);
  const goingBack = restoreSnapshot(client, snapshot);
  goingBack.catch(() => undefined);
  await eventually(
    async () => lines,
    (told) => told.some((line) => line.includes('halfway')),
  );
  const funding = () => client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 1 });
  for (const answer of [await client.get('/customers'), await funding()])
    expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
  await query(databaseUrl, 'drop trigger copies_are_refused on daybook_log.events');
  await goingBack;
  expect(await balanceOf(client, customer.id)).toBe(1_000);
  expectStatus(await funding(), 200);
  expect(await balanceOf(client, customer.id)).toBe(1_001);
  await service.stop();
});
