import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createTurns,
  elsewhere,
  sharedMs,
  type Turns,
  turnMaxMs,
} from '../../../src/infrastructure/scheduling/tenant-turns.ts';

const most = 4;

/** Works of tenants, each of which goes on until it is told to end. */
function works({ inTurn }: Turns) {
  const goingOn: { readonly tenant: string; readonly end: () => void }[] = [];
  const namesOf = () => goingOn.map(({ tenant }) => tenant);
  const work = (tenant: string) => () =>
    new Promise<void>((resolve) => {
      const one = {
        tenant,
        end() {
          goingOn.splice(goingOn.indexOf(one), 1);
          resolve();
        },
      };
      goingOn.push(one);
    });
  return {
    ask: (tenant: string, count = 1, around = (done: () => Promise<void>) => done()) => {
      for (let n = 0; n < count; n++) void inTurn(tenant, () => around(work(tenant)));
    },
    /** Ends the one that has gone on longest, and lets begin who may. */
    async end(tenant: string) {
      goingOn.find((one) => one.tenant === tenant)?.end();
      await vi.advanceTimersByTimeAsync(0);
    },
    count: (tenant: string) => namesOf().filter((name) => name === tenant).length,
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

describe('requests of a tenant who asks alone', () => {
  it('begin at once, however many there are', () => {
    const { ask, count } = works(createTurns(most));
    ask('one', 50 * most);
    expect(count('one')).toBe(50 * most);
  });
});

describe('requests of several tenants', () => {
  const crowded = () => {
    const all = works(createTurns(most));
    all.ask('much', 5 * most);
    all.ask('little');
    return all;
  };

  it('begin at once for who asks for little', () => {
    const { ask, count } = crowded();
    expect(count('little')).toBe(1);
    ask('another');
    expect(count('another')).toBe(1);
  });

  it('wait for their turn where one asks for much, until few go on', async () => {
    const { ask, end, count } = crowded();
    ask('much', 10);
    expect(count('much')).toBe(5 * most);
    for (let n = 0; n < 4 * most; n++) await end('much');
    expect(count('much') + count('little')).toBe(most + 1);
    await end('much');
    await end('much');
    expect(count('much') + count('little')).toBe(most);
  });

  it('begin, of those who wait, for whom the fewest go on', async () => {
    const { ask, end, count } = works(createTurns(most));
    ask('one', 2);
    ask('two', 2);
    ask('one', 5);
    ask('two', 5);
    await end('one');
    expect([count('one'), count('two')]).toEqual([2, 2]);
    await end('two');
    await end('two');
    expect([count('one'), count('two')]).toEqual([2, 2]);
  });

  it('begin all once one tenant is alone again', async () => {
    const { ask, count } = crowded();
    ask('much', 10);
    await vi.advanceTimersByTimeAsync(sharedMs / 2);
    expect(count('much')).toBe(5 * most);
    await vi.advanceTimersByTimeAsync(sharedMs);
    expect(count('much')).toBe(5 * most + 10);
  });

  it('go on in the end, whoever asks and whatever fails', async () => {
    vi.useRealTimers();
    const asked = fc.array(fc.tuple(fc.constantFrom('one', 'two', 'three'), fc.nat(3), fc.boolean()), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(asked, async (all) => {
        const { inTurn } = createTurns(most);
        let done = 0;
        const results = all.map(([tenant, loops, fails]) =>
          inTurn(tenant, async () => {
            for (let n = 0; n < loops; n++) await new Promise((resolve) => void setImmediate(resolve));
            done += 1;
            if (fails) throw new Error('on purpose');
          }).then(
            () => false,
            () => true,
          ),
        );
        expect(await Promise.all(results)).toEqual(all.map(([, , fails]) => fails));
        expect(done).toBe(all.length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a turn', () => {
  it('is over once what is done elsewhere takes a moment', async () => {
    const { ask, count } = works(createTurns(most));
    ask('little');
    ask('much', 2 * most, elsewhereOf);
    expect(count('much')).toBe(most - 1);
    await vi.advanceTimersByTimeAsync(5);
    expect(count('much')).toBe(most - 1);
    await vi.advanceTimersByTimeAsync(10);
    expect(count('much')).toBe(2 * (most - 1));
  });

  it('is over after a while, whatever it waits for', async () => {
    const { ask, count } = works(createTurns(most));
    ask('little');
    ask('much', 2 * most);
    const again = setInterval(ask, sharedMs / 4, 'little');
    onTestFinished(() => clearInterval(again));
    await vi.advanceTimersByTimeAsync(turnMaxMs - 1);
    expect(count('much')).toBe(most - 1);
    await vi.advanceTimersByTimeAsync(turnMaxMs / 2);
    expect(count('much')).toBeGreaterThan(most - 1);
  });

  it('hands on what the work comes to', async () => {
    const { inTurn } = createTurns(most);
    await expect(inTurn('one', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });
});

const elsewhereOf = (work: () => Promise<void>): Promise<void> => elsewhere(work());
