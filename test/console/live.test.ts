import { describe, expect, it } from 'vitest';
import { createLive, liveMax } from '../../src/api/console/live/live.ts';
import type { EventStream } from '../../src/infrastructure/http/event-stream.ts';
import { idOf } from '../../src/kernel/ids.ts';

const platform = idOf('Platform', '00000000-0000-7000-8000-000000000001');
const tooMany = expect.objectContaining({ code: 'RATE_LIMITED' });

/** Whoever looks at payments of which none changes. */
function given() {
  let readings = 0;
  const idle = { stop: async () => undefined, done: new Promise<never>(() => undefined) };
  const { follow, stop } = createLive({
    store: {
      subscribeToAll: () => {
        readings += 1;
        return idle;
      },
      last: async () => 0n,
    },
    progress: { waitFor: async () => true },
    readDb: {} as never,
    projectionWaitMs: 0,
  });
  const ask = () => follow(platform, 300);
  /** Returns what ends it. */
  const open = (stream: EventStream) =>
    stream.open({ send: async () => undefined, passed: async () => undefined }, () => undefined);
  return { ask, open, stop, readings: () => readings };
}

describe('who looks at the payments of a platform', () => {
  it('has one of so many places, whether all ask before the first begins or not', async () => {
    const { ask, open } = given();
    const streams = await Promise.all(Array.from({ length: liveMax.platform + 1 }, ask));
    const late = streams.pop() as EventStream;
    const ends = streams.map(open);
    await expect(ask()).rejects.toEqual(tooMany);
    expect(() => open(late)).toThrow(tooMany);
    ends[0]?.();
    open(late);
    await expect(ask()).rejects.toEqual(tooMany);
  });

  it('does not begin where the service has been told to stop meanwhile', async () => {
    const { ask, open, stop, readings } = given();
    const stream = await ask();
    await stop();
    expect(() => open(stream)).toThrow(tooMany);
    expect(readings()).toBe(0);
  });
});
