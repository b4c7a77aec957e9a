import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/processes/service.ts';
import { createCustomer, eventually, expectStatus } from '../support/resources/flows.ts';
import { startReceiver } from '../support/servers/receiver.ts';
import { noRedis, startRedis } from '../support/servers/redis.ts';
import { movableClock } from '../support/time/movable-clock.ts';

describe.skipIf(noRedis)('webhooks on Redis', () => {
  it('are tried again after Redis has lost everything', async () => {
    const [redis, receiver, clock] = [await startRedis(), await startReceiver(), movableClock()];
    const service = await startTestService({ clock, variables: { REDIS_URL: redis.url } });
    expectStatus(await service.client.patch('/config', { webhookEndpoint: receiver.url }), 200);
    const first = await createCustomer(service.client);
    await eventually(
      async () => receiver.typesAbout(first.id),
      ({ length }) => length === 1,
    );
    receiver.answer(500);
    const second = await createCustomer(service.client);
    await eventually(
      async () => (await service.client.get('/webhooks/events', { objectId: second.id })).body.data[0],
      (event) => event?.nextAttemptAt > event?.updatedAt,
    );
    await redis.replace();
    receiver.answer(200);
    clock.advance(5_000);
    await eventually(
      async () => receiver.typesAbout(second.id),
      ({ length }) => length === 2,
    );
    expect(receiver.typesAbout(first.id)).toHaveLength(1);
    await service.stop();
    await Promise.all([receiver.close(), redis.stop()]);
  });
});
