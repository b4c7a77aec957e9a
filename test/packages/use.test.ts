/** Until when the Postgres of test runs is kept. */
import { describe, expect, it } from 'vitest';
import { type User, untilOfNoUse } from '../../packages/testing/src/use.ts';

const bounds = { lookMs: 5, idleMaxMs: 20, deafLooksMax: 3 };
const [nobody, somebody] = [[], [{ datname: 'run_1' }]] as const;

/** How often was looked, when each look finds what is next; what does not end by then, ends with an error. */
async function looksAt(...found: readonly (readonly User[] | undefined)[]) {
  let looks = 0;
  let asleepMs = 0;
  const looked: (readonly User[])[] = [];
  await untilOfNoUse(bounds, {
    async sleep(ms) {
      asleepMs += ms;
    },
    async users() {
      if (looks === found.length) throw new Error('it goes on');
      looks += 1;
      return found[looks - 1];
    },
    async looked(users) {
      looked.push(users);
    },
  });
  expect(asleepMs).toBe(looks * bounds.lookMs);
  return { looks, looked };
}

describe('the Postgres of test runs is kept', () => {
  it('until nobody was connected for so long', async () => {
    const { looks, looked } = await looksAt(nobody, nobody, nobody, nobody, nobody);
    expect([looks, looked]).toEqual([4, [nobody, nobody, nobody, nobody]]);
  });

  it('while somebody is, and as long after that as after the start', async () => {
    const { looks } = await looksAt(nobody, nobody, nobody, somebody, nobody, nobody, nobody, nobody, nobody);
    expect(looks).toBe(8);
    await expect(looksAt(...Array.from({ length: 50 }, () => somebody))).rejects.toThrow('it goes on');
  });

  it('until nobody was let in so often in a row', async () => {
    const { looks, looked } = await looksAt(
      somebody,
      undefined,
      undefined,
      somebody,
      undefined,
      undefined,
      undefined,
      nobody,
    );
    expect([looks, looked]).toEqual([7, [somebody, somebody]]);
  });
});
