import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RequestLate } from '../../../src/infrastructure/away.ts';
import {
  recordedUntil,
  type TimeOfRequest,
  timeFor,
  timeLeft,
  timeOfRequest,
  uncounted,
  whateverTheTime,
} from '../../../src/infrastructure/deadlines/deadline.ts';

const never = () => new Promise<never>(() => {});
const longMs = 60_000;

describe('the time of a request', () => {
  it('gives what is done in it, and the errors too', async () => {
    const inTime = timeFor(longMs);
    expect(await inTime(async () => 'done')).toBe('done');
    await expect(inTime(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });

  it('ends what does not end', async () => {
    await expect(timeFor(20)(never)).rejects.toBeInstanceOf(RequestLate);
  });

  it('is one for all its parts', async () => {
    const inTime = timeFor(250);
    let parts = 0;
    const many = async () => {
      for (;;) {
        await inTime(() => sleep(100));
        parts += 1;
      }
    };
    await expect(many()).rejects.toBeInstanceOf(RequestLate);
    expect(parts).toBeLessThan(3);
  });

  it('is over by the clock, where the process comes to its timers late', async () => {
    const late = timeFor(20)(async () => {
      const end = performance.now() + 30;
      while (performance.now() < end);
      timeOfRequest()?.require();
    });
    await expect(late).rejects.toBeInstanceOf(RequestLate);
  });

  it('can be asked for by who goes on elsewhere', async () => {
    expect(timeOfRequest()).toBeUndefined();
    let time: TimeOfRequest | undefined;
    const late = timeFor(1_000)(async () => {
      time = timeOfRequest();
      expect(time?.require).not.toThrow();
      return never();
    });
    await expect(late).rejects.toBeInstanceOf(RequestLate);
    expect(time?.require).toThrow(RequestLate);
  });

  it('says until when what is done in it is recorded, for as long as all of it counts', async () => {
    recordedUntil(7);
    const latest = () => timeOfRequest()?.latest;
    const told = timeFor(longMs)(async () => {
      const before = latest();
      recordedUntil(7);
      const known = latest();
      const anyhow = whateverTheTime(latest);
      const waiting = await uncounted(async () => latest());
      return [before, known, anyhow, waiting, latest()];
    });
    expect(await told).toEqual([undefined, 7, undefined, undefined, undefined]);
  });

  it('does not count what lies between its parts, nor what the caller wants to wait for', async () => {
    const inTime = timeFor(1_000);
    await inTime(async () => undefined);
    await sleep(1_100);
    const waited = inTime(async () => {
      await uncounted(() => Promise.all([uncounted(() => sleep(900)), sleep(1_100)]));
      timeOfRequest()?.require();
      return 'waited';
    });
    expect(await waited).toBe('waited');
  });

  it('says how much of it is left, of which such a wait takes nothing', async () => {
    expect(timeLeft()).toBe(Number.POSITIVE_INFINITY);
    const left = await timeFor(longMs)(async () => {
      const first = timeLeft();
      await sleep(50);
      const second = timeLeft();
      const waiting = await uncounted(async () => {
        const before = timeLeft();
        await sleep(50);
        return [before, timeLeft()];
      });
      return { first, second, waiting };
    });
    expect(left.first).toBeLessThanOrEqual(longMs);
    expect(left.second).toBeLessThan(left.first);
    expect(left.waiting[0]).toBeLessThanOrEqual(left.second);
    expect(left.waiting[1]).toBe(left.waiting[0]);
  });

  it('counts on after such a wait', async () => {
    const late = timeFor(50)(async () => {
      await uncounted(() => sleep(60));
      return never();
    });
    await expect(late).rejects.toBeInstanceOf(RequestLate);
  });

  it('lets late work begin no further command, but for what is to be done in any case', async () => {
    const begun: string[] = [];
    const command = (name: string) => {
      timeOfRequest()?.require();
      begun.push(name);
    };
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const late = timeFor(1_000)(async () => {
      command('in time');
      await sleep(1_200);
      whateverTheTime(() => command('what follows'));
      try {
        command('late');
      } finally {
        resolve();
      }
    });
    await expect(late).rejects.toBeInstanceOf(RequestLate);
    await ended;
    expect(begun).toEqual(['in time', 'what follows']);
  });
});
