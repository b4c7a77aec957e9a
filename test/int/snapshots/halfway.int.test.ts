import { expect, it } from 'vitest';
import type { RailReports } from '../../../src/domain/ports/rail-module.ts';
import { expectProblem } from '../../support/http/problems.ts';
import { query } from '../../support/postgres/database.ts';
import { holdProjector, untilShown } from '../../support/postgres/read-models.ts';
import type { TestOptions } from '../../support/processes/service.ts';
import { eventually, expectStatus, fund } from '../../support/resources/flows.ts';
import { balanceOf } from '../../support/resources/payments.ts';
import { fickleRail } from '../../support/traffic/mixed-traffic.ts';
import { withSnapshot } from './with-snapshot.ts';

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

/** A platform with a snapshot of 1,000, and what brings it halfway back until it is let go on. */
async function withHalfway(overrides: TestOptions = {}) {
  const { service, goHalfway, ...rest } = await withSnapshot(overrides);
  const { client, databaseUrl } = service;
  const halfway = async () => {
    await query(databaseUrl, refuseCopies);
    const { back } = await goHalfway();
    return async () => {
      await query(databaseUrl, 'drop trigger copies_are_refused on daybook_log.events');
      await back;
    };
  };
  return { client, databaseUrl, ...rest, halfway };
}

it('a platform whose way back is broken off is shown to nobody until it is there', async () => {
  const { client, customer, account, halfway } = await withHalfway();
  await fund(client, account.id, 77);
  const goOn = await halfway();
  const funding = () => client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 1 });
  for (const answer of [await client.get('/customers'), await funding()])
    expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
  await goOn();
  expect(await balanceOf(client, customer.id)).toBe(1_000);
  expectStatus(await funding(), 200);
  expect(await balanceOf(client, customer.id)).toBe(1_001);
});

it('a platform goes back once the read models have what it leaves, and not before', async () => {
  const { client, databaseUrl, customer, account, snapshot } = await withHalfway({ patienceMs: undefined });
  const release = await holdProjector(databaseUrl);
  await client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 77 });
  const back = () => client.post(`/sandbox/snapshots/${snapshot.id}/restore`);
  expectProblem(await back(), 409, 'CONFLICT');
  await release();
  await untilShown(databaseUrl);
  expectStatus(await back(), 200);
  expect(await balanceOf(client, customer.id)).toBe(1_000);
});

it('money that arrives for it is not told to be nobody’s until it is there', async () => {
  let reports: RailReports | undefined;
  const rail = async (own: RailReports) => {
    reports = own;
    return fickleRail;
  };
  const { client, databaseUrl, customer, account, halfway } = await withHalfway({ rail });
  const [{ accountOrWalletInfo }] = account.fundingPaymentInstructions;
  const amount = { minor: 700n, currency: 'USD' };
  const arrived = (named: string, bankReference: string) =>
    reports?.arrived({ named: [named], amount, bankReference, refusalIsFinal: true });
  const goOn = await halfway();
  const { reference } = accountOrWalletInfo;
  // Who still finds the account waits for the platform.
  await eventually(
    () => query(databaseUrl, 'select from daybook.internal_accounts where id = $1', [account.id]),
    (found) => found.length === 0,
  );
  await expect(arrived(reference, 'on the way')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await arrived('thank you', 'of nobody')).toEqual({ status: 'unmatched' });
  await goOn();
  expect(await arrived(reference, 'on the way')).toMatchObject({ status: 'credited' });
  await eventually(
    () => balanceOf(client, customer.id),
    (balance) => balance === 1_700,
  );
  expect(await arrived('DB-AAAAAAAAAA', 'of nobody else')).toEqual({ status: 'unmatched' });
});
