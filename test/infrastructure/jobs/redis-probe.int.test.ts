import { describe, expect, it, onTestFinished } from 'vitest';
import { openRedisProbe } from '../../../src/infrastructure/jobs/redis-probe.ts';
import { eventually } from '../../support/resources/flows.ts';
import { lineTo } from '../../support/servers/line.ts';
import { noRedis, startRedis } from '../../support/servers/redis.ts';

async function probed() {
  const redis = await startRedis();
  const line = await lineTo(redis.url);
  const probeOf = (path = '') => {
    const probe = openRedisProbe(`${line.url}${path}`);
    onTestFinished(probe.close);
    return probe;
  };
  onTestFinished(() => redis.stop());
  return { redis, line, probeOf };
}

/** A busy machine may not connect, or answer, in the time that a question has. */
const untilAnswered = (ask: () => Promise<unknown>) =>
  eventually(
    () =>
      ask().then(
        () => true,
        () => false,
      ),
    Boolean,
  );

describe.skipIf(noRedis)('a question to Redis', () => {
  it('has a new connection after one that did not answer, though that seems to be there', async () => {
    const { line, probeOf } = await probed();
    const { ask } = probeOf();
    await untilAnswered(ask);
    line.cut();
    await expect(ask()).rejects.toThrow();
    await untilAnswered(ask);
  });

  it.each([
    ['maxmemory', '1'],
    ['min-replicas-to-write', '1'],
  ])('is answered no while it takes nothing for its %s', async (setting, value) => {
    const { redis, probeOf } = await probed();
    const { ask } = probeOf();
    await redis.set(setting, value);
    await expect(ask()).rejects.toThrow();
    await redis.set(setting, '0');
    await untilAnswered(ask);
  });

  it('is answered no where there is no such database', async () => {
    const { probeOf } = await probed();
    await expect(probeOf('/99').ask()).rejects.toThrow('DB index is out of range');
  });

  it('is answered once for all who ask at the same time', async () => {
    const { ask } = (await probed()).probeOf();
    await untilAnswered(() => Promise.all([ask(), ask(), ask()]));
  });
});
