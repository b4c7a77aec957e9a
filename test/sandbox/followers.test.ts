import { describe, expect, it } from 'vitest';
import { createFollowers, followersMax } from '../../src/api/sandbox/watching/followers.ts';
import { idOf } from '../../src/kernel/ids.ts';

const platformOf = (n: number) => idOf('Platform', `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`);
const [mine, theirs] = [platformOf(1), platformOf(2)];
const tooMany = expect.objectContaining({ code: 'RATE_LIMITED' });

/** Followers of a log in which nothing happens. */
function given() {
  const idle = { stop: async () => undefined, done: new Promise<never>(() => undefined) };
  const { follow } = createFollowers({
    store: { subscribeToAll: () => idle, last: async () => 0n },
    progress: { waitFor: async () => true },
    projectionWaitMs: 0,
  });
  /** Returns what ends it. */
  const begin = async (platformId = mine) => {
    const { open } = await follow(platformId, { after: 0n, seconds: 300 });
    const sending = { send: async () => undefined, passed: async () => undefined };
    return open(sending, () => undefined);
  };
  return { begin };
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
});
