import { describe, expect, it } from 'vitest';
import { createHealth, type Measured, pointsMax } from '../../src/api/console/health/ring.ts';

const measured: Measured = {
  projectionLagEvents: 3,
  queueDepth: 2,
  deliveriesWaiting: 1,
  deliveriesFailed: 0,
};

function health() {
  let at = 0;
  const asked: string[] = [];
  const ring = createHealth({
    now: () => new Date(at),
    measure: async (platformId) => {
      asked.push(platformId);
      return measured;
    },
  });
  const pass = async (ms = 5_000) => {
    at += ms;
    await ring.look();
  };
  return { ring, pass, asked };
}

describe('how the service does', () => {
  it('is counted for each platform, with the quantiles of its own requests', async () => {
    const { ring, pass } = health();
    for (let ms = 1; ms <= 100; ms++) ring.note('ours', ms, ms <= 10);
    ring.note('theirs', 5_000, false);
    await pass();
    await pass();
    const [first, second] = await ring.of('ours');
    expect(first).toMatchObject({ requestsPerSecond: 20, paymentsPerSecond: 2, p50Ms: 50, p99Ms: 99 });
    expect(second).toMatchObject({ requestsPerSecond: 0, paymentsPerSecond: 0, p50Ms: null, p99Ms: null });
    expect((await ring.of('theirs'))[0]).toMatchObject({ requestsPerSecond: 0.2, p50Ms: 5_000 });
    expect((await ring.of('nobody'))[0]).toMatchObject({ requestsPerSecond: 0, p50Ms: null });
  });

  it('is asked for only where somebody looks, and for a minute after', async () => {
    const { ring, pass, asked } = health();
    await pass();
    expect(asked).toEqual([]);
    expect((await ring.of('ours')).at(-1)).toMatchObject(measured);
    expect(asked).toEqual(['ours']);
    await pass();
    expect((await ring.of('ours')).map(({ queueDepth }) => queueDepth)).toEqual([2, 2]);
    await pass(61_000);
    expect(asked).toHaveLength(2);
    expect((await ring.of('theirs')).map(({ queueDepth }) => queueDepth)).toEqual([null, null, 2]);
  });

  it('is kept for 15 minutes', async () => {
    const { ring, pass } = health();
    for (let n = 0; n < pointsMax + 5; n++) await pass();
    const points = await ring.of('ours');
    expect(points).toHaveLength(180);
    expect(points[0]?.at).toEqual(new Date(6 * 5_000));
  });
});
