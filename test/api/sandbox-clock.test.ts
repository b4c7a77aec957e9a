import { describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createAgent, redeem } from '../support/resources/agents.ts';
import { eventually, expectStatus, payoutParties, quoteBody } from '../support/resources/flows.ts';
import { customerWith, quote, receive, registerUsd, transferOut } from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { startReceiver } from '../support/servers/receiver.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '1' } });
/** Of another platform, which moves no clock. */
const other = besideOfTests(service);

const clock = async (client: Client = service.client) =>
  expectStatus(await client.get('/sandbox/clock'), 200);
const freeze = async (body: object = {}) =>
  expectStatus(await service.client.post('/sandbox/clock/freeze', body), 200);
const advance = async (body: object) =>
  expectStatus(await service.client.post('/sandbox/clock/advance', body), 200);
const later = (text: string, ms: number) => new Date(Date.parse(text) + ms).toISOString();

describe("a platform's clock", () => {
  it('stands still, goes forward and goes on, and that of another platform does not', async () => {
    expect((await clock()).status).toBe('FOLLOWING');
    const frozen = await freeze();
    expect(frozen.status).toBe('FROZEN');
    expect(await freeze()).toEqual(frozen);
    expect((await clock()).now).toBe(frozen.now);

    const advanced = await advance({ duration: 'P1DT2H' });
    expect(advanced).toMatchObject({
      status: 'FROZEN',
      now: later(frozen.now, 26 * 3_600_000),
      firedCount: 0,
    });
    const { client } = service;
    const { createdAt } = (await customerWith(client, 0)).customer;
    expect(createdAt).toBe(advanced.now);

    const resumed = expectStatus(await client.post('/sandbox/clock/resume'), 200);
    expect(resumed.status).toBe('RUNNING');
    expect(resumed.now >= advanced.now).toBe(true);
    const ahead = Date.parse((await clock()).now) - Date.now();
    expect(ahead).toBeGreaterThan(20 * 3_600_000);
    expect((await clock(other.client)).status).toBe('FOLLOWING');
    expect(Date.parse((await clock(other.client)).now) - Date.now()).toBeLessThan(3_600_000);
  });

  it('is that of a device code', async () => {
    await freeze();
    const { id } = (await customerWith(service.client, 0)).customer;
    const [early, late] = [await createAgent(service.client, id), await createAgent(service.client, id)];
    await advance({ duration: 'PT23H' });
    expectStatus(await redeem(service.client, early.deviceCode.code), 200);
    await advance({ duration: 'PT1H' });
    const refused = await redeem(service.client, late.deviceCode.code);
    expect(expectProblem(refused, 400, 'INVALID_INPUT').details.reason).toBe('EXPIRED');
    expectStatus(await service.client.post('/sandbox/clock/resume'), 200);
  });

  it("is that of a customer's erasure", async () => {
    await freeze();
    const { now } = await advance({ duration: 'P3D' });
    const { id } = (await customerWith(service.client, 0)).customer;
    const erased = expectStatus(await service.client.post(`/customers/${id}/erase`), 200);
    expect(erased).toMatchObject({ status: 'ERASED', erasedAt: now });
    expect(expectStatus(await service.client.get(`/customers/${id}`), 200).updatedAt).toBe(now);
    expectStatus(await service.client.post('/sandbox/clock/resume'), 200);
  });

  it('never goes back, and not further than ten years', async () => {
    const { now } = await freeze();
    const body = { to: later(now, -1) };
    expectProblem(await service.client.post('/sandbox/clock/advance', body), 400, 'INVALID_INPUT');
    expectProblem(
      await service.client.post('/sandbox/clock/advance', { duration: 'P9000D' }),
      400,
      'INVALID_INPUT',
    );
    for (const bad of [{}, { duration: 'P1Y' }, { duration: 'P1D', toNextTimer: true }])
      expectProblem(await service.client.post('/sandbox/clock/advance', bad), 400, 'INVALID_INPUT');
    expect((await clock()).now).toBe(now);
  });

  it('goes on where the moment to stop at is refused', async () => {
    expectStatus(await service.client.post('/sandbox/clock/resume'), 200);
    for (const at of ['2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z']) {
      const problem = expectProblem(
        await service.client.post('/sandbox/clock/freeze', { at }),
        400,
        'INVALID_INPUT',
      );
      expect(problem.details).toMatchObject({ errors: [{ field: 'at' }] });
    }
    expect(await clock()).toMatchObject({ status: 'RUNNING' });
  });

  it('is changed by one request after the other, of which a few may wait', async () => {
    const { client } = service;
    const { now } = await freeze();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => client.post('/sandbox/clock/advance', { duration: 'PT1S' })),
    );
    const [done, refused] = [200, 429].map((status) => answers.filter((one) => one.status === status));
    expect([done?.length, refused?.length].every((count) => (count ?? 0) > 0)).toBe(true);
    for (const answer of refused ?? []) {
      expectProblem(answer, 429, 'RATE_LIMITED');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((done?.length ?? 0) + (refused?.length ?? 0)).toBe(30);
    expect((await clock()).now).toBe(later(now, (done?.length ?? 0) * 1_000));
  });

  it('lets a quote expire when it comes to that', async () => {
    const { client } = service;
    await freeze();
    const { account, payee } = await payoutParties(client);
    const { id, expiresAt } = await quote(client, quoteBody(account.id, payee.id));
    await advance({ to: later(expiresAt, -1) });
    expect(expectStatus(await client.get(`/quotes/${id}`), 200).status).toBe('PENDING');
    const { fired, now } = await advance({ duration: 'PT0.001S' });
    expect(now).toBe(expiresAt);
    expect(fired).toEqual([{ kind: 'EXPIRE_QUOTE', objectId: expect.any(String), dueAt: expiresAt }]);
    expect(expectStatus(await client.get(`/quotes/${id}`), 200)).toMatchObject({ status: 'EXPIRED' });
    expectProblem(await client.post(`/quotes/${id}/execute`), 409, 'QUOTE_EXPIRED');
  });

  it('settles transfers in the order in which they are due', async () => {
    const { client } = service;
    await freeze();
    const { customer, account } = await customerWith(client, 100_000);
    const [slow, quick] = await Promise.all([
      registerUsd(client, customer.id, '005'),
      registerUsd(client, customer.id, '789'),
    ]);
    const first = expectStatus(await transferOut(client, account.id, slow.id, 1_000), 201);
    const second = expectStatus(await transferOut(client, account.id, quick.id, 2_000), 201);
    const { fired } = await advance({ duration: 'PT1M' });
    expect(fired.map(({ objectId }: { objectId: string }) => objectId)).toEqual([second.id, first.id]);
    expect(expectStatus(await client.get(`/transactions/${first.id}`), 200).status).toBe('FAILED');
    const done = expectStatus(await client.get(`/transactions/${second.id}`), 200);
    expect(done).toMatchObject({ status: 'COMPLETED', updatedAt: later(second.createdAt, 1_000) });
  });

  it('tells of a deletion that was cut short, and is abandoned', async () => {
    const { now } = await freeze();
    const { customer } = await customerWith(service.client, 0);
    await query(
      service.databaseUrl,
      `insert into daybook.timers (subject, platform_id, kind, due_at)
       select id, platform_id, 'abandon-deletion', $1 from daybook.customers where id = $2`,
      [later(now, 1_000), customer.id],
    );
    const { fired } = await advance({ duration: 'PT1S' });
    expect(fired).toEqual([{ kind: 'ABANDON_DELETION', objectId: customer.id, dueAt: later(now, 1_000) }]);
    await query(service.databaseUrl, 'delete from daybook.timers where subject = $1', [customer.id]);
  });

  it("says nothing of another platform's invitation, which is over by the clock of that one", async () => {
    const { client } = service;
    await freeze();
    await advance({ duration: 'P1D' });
    const { now } = await clock(other.client);
    const invite = async () => {
      const { umaAddress: inviterUma } = (await customerWith(other.client, 0)).customer;
      const body = { inviterUma, expiresAt: later(now, 3_600_000) };
      return expectStatus(await other.client.post('/invitations', body), 201);
    };
    const { code } = await invite();
    for (const by of [client, other.client])
      expect(expectStatus(await by.get(`/invitations/${code}`), 200).status).toBe('PENDING');
    const inviteeUma = (await customerWith(client, 0)).customer.umaAddress;
    const claimed = expectStatus(await client.post(`/invitations/${code}/claim`, { inviteeUma }), 200);
    expect(claimed.status).toBe('CLAIMED');
    expect(claimed.claimedAt < later(now, 3_600_000)).toBe(true);
    const cancelled = await client.post(`/invitations/${(await invite()).code}/cancel`);
    expectProblem(cancelled, 403, 'FORBIDDEN');
  });

  it('says when the next timer is due where that is too far', async () => {
    const client = await service.newPlatform();
    const duration = `P${3_660 - 1}DT23H59M`;
    expectStatus(await client.post('/sandbox/clock/freeze'), 200);
    expectStatus(await client.post('/sandbox/clock/advance', { duration }), 200);
    const { account, payee } = await payoutParties(client);
    const { expiresAt } = await quote(client, quoteBody(account.id, payee.id));
    const refused = await client.post('/sandbox/clock/advance', { toNextTimer: true });
    const { message, details } = expectProblem(refused, 400, 'INVALID_INPUT');
    expect(details.errors.map(({ field }: Json) => field)).toEqual(['toNextTimer']);
    expect(message).toContain(expiresAt);
  });

  it('goes to the next timer, and stays where there is none', async () => {
    const { client } = service;
    const { now } = await advance({ duration: 'P30D' });
    expect(await advance({ toNextTimer: true })).toMatchObject({ now, firedCount: 0 });
    const { account, payee } = await payoutParties(client);
    const { expiresAt } = await quote(client, quoteBody(account.id, payee.id));
    expect((await clock()).nextTimerAt).toBe(expiresAt);
    expect(await advance({ toNextTimer: true })).toMatchObject({ now: expiresAt, firedCount: 1 });
  });
});

describe('webhooks', () => {
  it('that are due already are no next timer: they are sent on the way to it', async () => {
    const { client } = service;
    const receiver = await startReceiver();
    await freeze();
    expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
    for (let n = 0; n < 3; n++) {
      const { account, payee } = await payoutParties(client);
      const { id, expiresAt } = await quote(client, quoteBody(account.id, payee.id));
      expect(await advance({ toNextTimer: true })).toMatchObject({ now: expiresAt, firedCount: 1 });
      expect(receiver.received.some(({ body }) => body.data.quoteId === id)).toBe(true);
    }
    expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
    await receiver.close();
  });

  it('are retried for seven days of the clock, and what follows from no answer to an approval is done', async () => {
    const { client } = service;
    const receiver = await startReceiver();
    receiver.answer(500);
    await freeze();
    expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
    const { customer } = await customerWith(client, 0);
    const incoming = expectStatus(await receive(client, { customerId: customer.id }), 200);
    // A busy machine comes some of the way in the time that an advance has, and says so.
    const to = later((await clock()).now, 8 * 24 * 3_600_000);
    const advanced = await eventually(
      () => client.post('/sandbox/clock/advance', { to }),
      ({ status }) => status !== 409,
    );
    expectStatus(advanced, 200);
    const { data } = expectStatus(await client.get('/webhooks/events', { objectId: incoming.id }), 200);
    expect(data.map(({ state }: { state: string }) => state)).toEqual(data.map(() => 'FAILED'));
    expect(receiver.received.length).toBeGreaterThan(300);
    expectStatus(await client.patch('/config', { webhookEndpoint: null }), 200);
    await receiver.close();
  });
});
