import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { query } from '../support/postgres/database.ts';
import { addWebhookEvents } from '../support/postgres/outbox.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';
import { startBeside } from '../support/resources/platforms.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';

const many = 60;

let ours: TestService;
let theirs: TestService;
let silent: Receiver;
let quick: Receiver;

beforeAll(async () => {
  [silent, quick] = await Promise.all([startReceiver(), startReceiver()]);
  silent.answer(() => undefined);
  ours = await startTestService();
  theirs = await startBeside(ours);
  expectStatus(await ours.client.patch('/config', { webhookEndpoint: silent.url }), 200);
  expectStatus(await theirs.client.patch('/config', { webhookEndpoint: quick.url }), 200);
});
afterAll(async () => {
  await Promise.all([theirs.stop(), ours.stop()]);
  await Promise.all([silent.close(), quick.close()]);
});

const attemptsOf = async (id: string): Promise<Json> => {
  const { data } = expectStatus(await ours.client.get('/webhooks/events', { objectId: id }), 200);
  return expectStatus(await ours.client.get(`/webhooks/events/${data[0].id}`), 200).attemptLog;
};

describe('a receiver that never answers', () => {
  it('delays no other platform', async () => {
    await createCustomer(ours.client);
    await addWebhookEvents(ours, many);
    await eventually(
      async () => silent.received.length,
      (count) => count > 3,
    );
    const { id } = await createCustomer(theirs.client);
    await eventually(
      async () => quick.typesAbout(id),
      ({ length }) => length === 1,
    );
    expect(silent.received.length).toBeLessThan(many);
  });

  it('has its call ended after 10 s', async () => {
    const called = silent.received.find(({ body }) => body.type.startsWith('CUSTOMER'))?.body.data.id;
    const [attempt] = await eventually(
      () => attemptsOf(called),
      (attempts) => attempts.length > 0,
    );
    expect(attempt.error).toBe('no answer within 10000 ms');
    expect(attempt.status).toBeUndefined();
    expect(attempt.latencyMs).toBeGreaterThan(9_900);
  });
});

describe('secrets of webhooks', () => {
  it('are stored sealed', async () => {
    const [key] = expectStatus(await ours.client.get('/webhooks/keys'), 200).data;
    const rows = await query(ours.databaseUrl, 'select to_jsonb(k)::text as row from daybook.webhook_keys k');
    expect(rows.length).toBeGreaterThan(0);
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(Buffer.from(key.secret).toString('hex'));
    expect(stored).not.toContain('PRIVATE KEY');
  });
});
