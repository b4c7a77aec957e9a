import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import type { Client } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService, type TestOptions, type TestService } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { noRedis, type RedisServer, startRedis } from '../support/servers/redis.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { fickleRail } from '../support/traffic/mixed-traffic.ts';

async function openQuote(client: Client) {
  const { customer, account, payee } = await payoutParties(client, 50_000);
  const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
  return { ...quote, customerId: customer.id };
}

async function execute(client: Client) {
  const quote = await openQuote(client);
  expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
  return quote;
}

const timersIn = ({ databaseUrl }: TestService, kind: string) =>
  query<{ subject: string }>(databaseUrl, 'select subject from daybook.timers where kind = $1', [kind]);

/** Waits until all have passed the end of the log: every timer that the log asks for has its row, and is queued. */
const untilScheduled = ({ databaseUrl }: TestService) =>
  eventually(
    () =>
      query<{ lag: string }>(
        databaseUrl,
        `select (select max(position) from daybook_log.events) - position as lag
           from daybook.checkpoints where name in ('projections', 'policies')`,
      ),
    (rows) => rows.length === 2 && rows.every(({ lag }) => lag === '0'),
  );

/** What timers promise, on whatever their queue runs. */
function timersContract(variables: () => Record<string, string>): void {
  const services: TestService[] = [];
  const start = async ({ variables: more, ...options }: TestOptions = {}) => {
    const service = await startTestService({ ...options, variables: { ...variables(), ...more } });
    services.push(service);
    return service;
  };
  afterAll(() => Promise.all(services.map((service) => service.stop())));

  it('expires a quote by itself', async () => {
    const { client } = await start({ variables: { DAYBOOK_QUOTE_LIFETIME_SECONDS: '1' } });
    const quote = await openQuote(client);
    await untilTransaction(client, quote.transactionId, 'EXPIRED');
    expect(expectStatus(await client.get(`/quotes/${quote.id}`), 200).status).toBe('EXPIRED');
    expectStatus(await client.post(`/quotes/${quote.id}/execute`), 409);
    expect((await accountOf(client, quote.customerId)).balance.amount).toBe(50_000);
  });

  it('completes a payment by itself and leaves no timer', async () => {
    const service = await start();
    const quote = await execute(service.client);
    await untilTransaction(service.client, quote.transactionId, 'COMPLETED');
    expect(await query(service.databaseUrl, 'select * from daybook.timers')).toEqual([]);
  });

  it('goes by the injected clock for what is due', async () => {
    const clock = movableClock();
    const service = await start({ clock });
    const quote = await openQuote(service.client);
    await untilScheduled(service);
    expect(await service.timers.reconcile()).toBe(0);
    clock.advance(301_000);
    expect(await service.timers.reconcile()).toBe(1);
    await untilTransaction(service.client, quote.transactionId, 'EXPIRED');
    expect(await service.timers.reconcile()).toBe(0);
  });

  it('puts back overdue payments after the queue was emptied', async () => {
    const clock = movableClock();
    const service = await start({ clock, variables: { DAYBOOK_SANDBOX_TIME_SCALE: '1000' } });
    const quotes = await Promise.all([1, 2, 3].map(() => execute(service.client)));
    await untilScheduled(service);
    expect(await timersIn(service, 'check-payment')).toHaveLength(3);
    await service.timers.empty();
    clock.advance(1_001_000);
    expect(await service.timers.reconcile()).toBe(3);
    for (const { transactionId } of quotes)
      await untilTransaction(service.client, transactionId, 'COMPLETED');
    expect(await service.timers.reconcile()).toBe(0);
  });

  it('puts back overdue quotes within its period, without being asked', async () => {
    const clock = movableClock();
    const service = await start({ clock });
    const quote = await openQuote(service.client);
    await untilScheduled(service);
    await service.timers.empty();
    clock.advance(301_000);
    await untilTransaction(service.client, quote.transactionId, 'EXPIRED');
  });

  it('does not wait for a job that hangs, as the jobs of a dead process do', async () => {
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const statusOf: PaymentRail['statusOf'] = async ({ recorded }) => {
      if (recorded === 'begun') return { status: 'unknown' };
      asked += 1;
      if (asked === 1) await gate.promise;
      return { status: 'settled' };
    };
    const { client } = await start({ rail: { ...fickleRail, statusOf } });
    const quote = await execute(client);
    await untilTransaction(client, quote.transactionId, 'COMPLETED').finally(gate.resolve);
  });

  it('submits what a rail that was away has not taken', async () => {
    let isAway = true;
    const clock = movableClock();
    const submit: PaymentRail['submit'] = async (payment, asked) => {
      if (isAway) throw new Error('away');
      return fickleRail.submit(payment, asked);
    };
    const service = await start({ clock, rail: { ...fickleRail, submit } });
    const { transactionId } = await execute(service.client);
    isAway = false;
    clock.advance(60_000);
    await untilTransaction(service.client, transactionId, 'COMPLETED');
  });

  it('puts back overdue invitations after the queue was emptied', async () => {
    const clock = movableClock();
    const service = await start({ clock });
    const { umaAddress: inviterUma } = await createCustomer(service.client);
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString();
    const body = { inviterUma, expiresAt };
    expectStatus(await service.client.post('/invitations', body), 201);
    await untilScheduled(service);
    await service.timers.empty();
    expect(await timersIn(service, 'expire-invitation')).toHaveLength(1);
    clock.advance(61_000);
    expect(await service.timers.reconcile()).toBe(1);
    await eventually(
      () => timersIn(service, 'expire-invitation'),
      ({ length }) => length === 0,
    );
    expect(await service.timers.reconcile()).toBe(0);
  });

  it('finds what fell due while nothing ran', async () => {
    const before = await start({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '1' } });
    const { transactionId } = await execute(before.client);
    await untilScheduled(before);
    await before.timers.empty();
    await before.stop();
    const after = await start({ databaseUrl: before.databaseUrl });
    const status = () =>
      query<{ status: string }>(before.databaseUrl, 'select status from daybook.transactions where id = $1', [
        transactionId,
      ]);
    await eventually(status, ([row]) => row?.status === 'COMPLETED');
    expect(await after.timers.reconcile()).toBe(0);
  });
}

describe('timers on Postgres', () => {
  timersContract(() => ({}));
});

describe.skipIf(noRedis)(`timers on Redis${noRedis ? ` (skipped: ${noRedis})` : ''}`, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  describe('that stays', () => {
    let database = 0;
    timersContract(() => ({ REDIS_URL: `${redis.url}/${database++}` }));
  });

  it('lose nothing when Redis crashes and comes back empty', async () => {
    const own = await startRedis();
    const clock = movableClock();
    const service = await startTestService({
      clock,
      variables: { REDIS_URL: own.url, DAYBOOK_SANDBOX_TIME_SCALE: '1' },
    });
    const [paid, open] = [await execute(service.client), await openQuote(service.client)];
    await own.replace();
    await untilTransaction(service.client, paid.transactionId, 'COMPLETED');
    clock.advance(301_000);
    await untilTransaction(service.client, open.transactionId, 'EXPIRED');
    await service.stop();
    await own.stop();
  });

  it('let the service stop while Redis is gone', async () => {
    const own = await startRedis();
    const service = await startTestService({ variables: { REDIS_URL: own.url } });
    await own.stop();
    await service.stop();
  });
});
