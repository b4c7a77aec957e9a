import { describe, expect, it } from 'vitest';
import { inboxUrl } from '../../src/sandbox/inbox.ts';
import { clientOf } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { holdProjector } from '../support/postgres/read-models.ts';
import { startTestService } from '../support/processes/service.ts';
import { eventually, expectStatus, payoutParties, quoteBody } from '../support/resources/flows.ts';
import { customerWith, quote, registerUsd, transferOut } from '../support/resources/payments.ts';

const roles = (names: string) => ({ DAYBOOK_ROLES: names, DAYBOOK_SANDBOX_TIME_SCALE: '1' });

describe("a platform's clock", () => {
  it('is the same in every process, and advanced by one that runs no timers itself', async () => {
    const worker = await startTestService({ variables: roles('projector,worker') });
    const { databaseUrl, credentials } = worker;
    const [one, other] = await Promise.all(
      [1, 2].map(() => startTestService({ databaseUrl, variables: roles('api') })),
    );
    const here = clientOf(one?.url ?? '', credentials);
    const there = clientOf(other?.url ?? '', credentials);
    expectStatus(await here.patch('/config', { webhookEndpoint: inboxUrl }), 200);
    const { customer, account } = await customerWith(here, 5_000);
    const bank = await registerUsd(here, customer.id, '005');
    const { now } = expectStatus(await here.post('/sandbox/clock/freeze'), 200);
    await eventually(
      async () => (await there.get('/sandbox/clock')).body,
      (clock) => clock.now === now,
    );
    const { id } = expectStatus(await transferOut(there, account.id, bank.id, 1_000), 201);
    const { firedCount } = expectStatus(
      await here.post('/sandbox/clock/advance', { duration: 'PT30S' }),
      200,
    );
    expect(firedCount).toBeGreaterThan(0);
    expect(expectStatus(await here.get(`/transactions/${id}`), 200).status).toBe('FAILED');
    const told = { type: 'OUTGOING_PAYMENT.FAILED', objectId: id };
    expect(expectStatus(await here.get('/sandbox/webhooks', told), 200).data).toMatchObject([
      { state: 'DELIVERED' },
    ]);
    for (const service of [one, other, worker]) await service?.stop();
  });

  it('stands where the first who stopped it has left it, for whoever stops it again', async () => {
    const first = await startTestService({ patienceMs: undefined });
    const { databaseUrl, credentials, client: here } = first;
    const second = await startTestService({ databaseUrl, patienceMs: undefined });
    const there = clientOf(second.url, credentials);
    const { account, payee } = await payoutParties(there, 0);
    // Nobody hears of a clock before the read models have it.
    const release = await holdProjector(databaseUrl);
    const { now } = expectStatus(await here.post('/sandbox/clock/freeze'), 200);
    const stopped = { status: 'FROZEN', now };
    expect(expectStatus(await there.get('/sandbox/clock'), 200)).toMatchObject(stopped);
    expect(expectStatus(await there.post('/sandbox/clock/freeze'), 200)).toMatchObject(stopped);
    const { createdAt } = await quote(there, quoteBody(account.id, payee.id));
    expect(createdAt).toBe(now);
    await release();
    for (const service of [first, second]) await service.stop();
  });

  it('stands where it stood after a restart, and the log has the true time beside it', async () => {
    const first = await startTestService({ variables: roles('api,projector,worker') });
    const { databaseUrl, credentials } = first;
    expectStatus(await first.client.post('/sandbox/clock/freeze'), 200);
    const { now } = expectStatus(
      await first.client.post('/sandbox/clock/advance', { duration: 'P400D' }),
      200,
    );
    const { account, payee } = await payoutParties(first.client);
    const { id, expiresAt } = await quote(first.client, quoteBody(account.id, payee.id));
    await first.stop();

    const second = await startTestService({ databaseUrl, variables: roles('api,projector,worker') });
    const client = clientOf(second.url, credentials);
    expect(expectStatus(await client.get('/sandbox/clock'), 200)).toMatchObject({
      status: 'FROZEN',
      now,
      nextTimerAt: expiresAt,
    });
    // Another platform's timers of the same process follow the installation's clock.
    expectStatus(await client.post('/sandbox/clock/advance', { to: expiresAt }), 200);
    expectProblem(await client.post(`/quotes/${id}/execute`), 409, 'QUOTE_EXPIRED');

    const [made] = await query<{ at: string; platform_at: string; recorded_at: Date }>(
      databaseUrl,
      `select metadata->>'at' as at, metadata->>'platformAt' as platform_at, recorded_at
       from daybook_log.events where type = 'QuoteCreated'`,
    );
    expect(made?.platform_at).toBe(now);
    const recordedMs = made?.recorded_at.getTime() ?? 0;
    expect(Math.abs(Date.parse(made?.at ?? '') - recordedMs)).toBeLessThan(3_600_000);
    await second.stop();
  });

  it('that runs ahead has its timers run in time', async () => {
    const service = await startTestService({ variables: roles('api,projector,worker') });
    const { client } = service;
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'P3D' }), 200);
    expect(expectStatus(await client.get('/sandbox/clock'), 200).status).toBe('RUNNING');
    const { customer, account } = await customerWith(client, 5_000);
    const bank = await registerUsd(client, customer.id, '789');
    const { id } = expectStatus(await transferOut(client, account.id, bank.id, 1_000), 201);
    await eventually(
      async () => (await client.get(`/transactions/${id}`)).body,
      ({ status }) => status === 'COMPLETED',
    );
    await service.stop();
  });
});
