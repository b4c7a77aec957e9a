import { describe, expect, it } from 'vitest';
import { createFollowers, followersMax } from '../../src/api/sandbox/watching/followers.ts';
import type { EventStream } from '../../src/infrastructure/http/event-stream.ts';
import { idOf } from '../../src/kernel/ids.ts';

const platformOf = (n: number) => idOf('Platform', `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`);
const [mine, theirs] = [platformOf(1), platformOf(2)];
const tooMany = expect.objectContaining({ code: 'RATE_LIMITED' });

/** Followers of a log in which nothing happens. */
function given() {
  const idle = { stop: async () => undefined, done: new Promise<never>(() => undefined) };
  const { follow, stop } = createFollowers({
    store: { subscribeToAll: () => idle, last: async () => 0n },
    progress: { waitFor: async () => true },
    projectionWaitMs: 0,
  });
  const ask = (platformId = mine) => follow(platformId, { after: 0n, seconds: 300 });
  /** Returns what ends it. */
  const open = (stream: EventStream) => {
    const sending = { send: async () => undefined, passed: async () => undefined };
    return stream.open(sending, () => undefined);
  };
  const begin = async (platformId = mine) => open(await ask(platformId));
  return { ask, open, begin, stop };
}

describe("followers of a platform's events", () => {
  it('have so many places, which are free when they leave, and take none of another platform', async () => {
    const { begin } = given();
    const ends: (() => void)[] = [];
    for (let n = 0; n < followersMax.platform; n++) ends.push(await begin(mine));
    await expect(begin(mine)).rejects.toEqual(tooMany);
    await begin(theirs);
    ends[0]?.();
    await begin(mine);
    await expect(begin(mine)).rejects.toEqual(tooMany);
  });

  it('are no more than one process has places for', async () => {
    const { begin } = given();
    for (let n = 0; n < followersMax.process; n++)
      await begin(platformOf(Math.floor(n / followersMax.platform)));
    await expect(begin(platformOf(followersMax.process))).rejects.toEqual(tooMany);
  });

  it('are no more where all have asked before the first begins', async () => {
    const { ask, open } = given();
    const late = await ask();
    const streams = await Promise.all(Array.from({ length: followersMax.platform }, () => ask()));
    const ends = streams.map(open);
    expect(() => open(late)).toThrow(tooMany);
    ends[0]?.();
    open(late);
    await expect(ask()).rejects.toEqual(tooMany);
  });

  it('do not begin where the service has been told to stop meanwhile', async () => {
    const { ask, open, stop } = given();
    const stream = await ask();
    await stop();
    expect(() => open(stream)).toThrow(tooMany);
  });
});
