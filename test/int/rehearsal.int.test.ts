/** A copy of an installation that is started to see whether it comes back: it must do nothing outside. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import type { Sender } from '../../src/workers/webhooks/send.ts';
import { query } from '../support/postgres/database.ts';
import { startTestService, type TestOptions } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { customerWith, registerUsd, transferOut } from '../support/resources/payments.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const hourMs = 3_600_000;
/** Long enough for a worker to do all of it, whose tasks come every 20 ms. */
const watchedMs = 1_500;

it('with the roles api and projector alone, asks no rail and calls nobody, whatever is due', async () => {
  const clock = movableClock();
  const calls = { rail: 0, sender: 0 };
  const rail: PaymentRail = {
    async submit() {
      calls.rail += 1;
      return {
        status: 'accepted',
        reference: 'T-1',
        underway: true,
        checkAt: new Date(clock.now().getTime() + hourMs),
      };
    },
    async statusOf({ recorded }) {
      calls.rail += 1;
      return recorded === 'begun' ? { status: 'unknown' } : { status: 'settled' };
    },
    withdraw: async () => ({ status: 'unknown' }),
    receiverAt: () => undefined,
    checkName: async () => undefined,
  };
  const sender: Sender = {
    async send() {
      calls.sender += 1;
      return { latencyMs: 1, error: 'ECONNREFUSED' };
    },
    close: () => undefined,
  };
  const start = async (options: TestOptions = {}) => {
    const service = await startTestService({ clock, rail, sender, everyMs: () => 20, ...options });
    onTestFinished(() => service.stop());
    return service;
  };
  const { client, databaseUrl, stop } = await start();
  expectStatus(await client.patch('/config', { webhookEndpoint: 'http://127.0.0.1:9/' }), 200);
  const { customer, account } = await customerWith(client);
  const payee = await registerUsd(client, customer.id);
  expectStatus(await transferOut(client, account.id, payee.id, 100), 201);
  const pending = async (table: string, where: string) =>
    (await query(databaseUrl, `select from daybook.${table} where ${where}`)).length;
  await expect.poll(() => pending('timers', `kind = 'check-payment'`)).toBe(1);
  await expect.poll(() => pending('webhook_events', `state = 'PENDING'`)).toBeGreaterThan(0);
  await stop();
  clock.advance(2 * hourMs);

  Object.assign(calls, { rail: 0, sender: 0 });
  const copy = await start({ databaseUrl, variables: { DAYBOOK_ROLES: 'api,projector' } });
  await sleep(watchedMs);
  expect(calls).toEqual({ rail: 0, sender: 0 });
  await copy.stop();

  await start({ databaseUrl });
  await expect.poll(() => Object.values(calls).every((count) => count > 0)).toBe(true);
});
