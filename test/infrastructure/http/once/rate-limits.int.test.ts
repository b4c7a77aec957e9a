/** Limits that all processes of an installation share. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createFailureLimit,
  createRateLimits,
  forgetRates,
} from '../../../../src/infrastructure/http/once/rate-limits.ts';
import { createPool } from '../../../../src/infrastructure/postgres/pool.ts';
import { query } from '../../../support/postgres/database.ts';
import { emptyBooks } from '../../../support/postgres/read-models.ts';
import { stillClock } from '../../../support/time/movable-clock.ts';

const minuteMs = 60_000;

async function counting() {
  const { url } = await emptyBooks();
  const clock = stillClock();
  const pool = createPool({ url, max: 2, name: 'test-rates' });
  onTestFinished(() => pool.end());
  const kept = () =>
    query<{ key: string; expire: number }>(url, 'select key, expire from daybook.rate_limits');
  /** As a process would have written it whose host has another time. */
  const endAt = (ms: number) => query(url, `update daybook.rate_limits set points = 9, expire = ${ms}`);
  const asked = vi.spyOn(pool, 'query');
  const statements = () => asked.mock.calls.length;
  return { url, deps: { pool, now: clock.now }, clock, kept, endAt, statements };
}

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code, details }) => [code, details.retryAfterSeconds],
  );

describe('a limit', () => {
  it('holds for a minute of the installation, and then begins anew', async () => {
    const { deps, clock } = await counting();
    const limits = createRateLimits(deps, { tries: 2 });
    const tried = () => refusalOf(limits('tries', 'a'));
    expect([await tried(), await tried(), await tried()]).toEqual([
      undefined,
      undefined,
      ['RATE_LIMITED', 60],
    ]);
    clock.advance(minuteMs - 1);
    expect(await tried()).toEqual(['RATE_LIMITED', 1]);
    clock.advance(1);
    expect(await tried()).toBeUndefined();
  });

  it('counts each key for itself', async () => {
    const { deps } = await counting();
    const limits = createRateLimits(deps, { tries: 1, others: 1 });
    for (const [name, key] of [
      ['tries', 'a'],
      ['tries', 'b'],
      ['others', 'a'],
    ] as const)
      await limits(name, key);
    expect(await refusalOf(limits('tries', 'b'))).toEqual(['RATE_LIMITED', 60]);
  });

  it('counts all that come at once, in a statement or two', async () => {
    const { deps, statements } = await counting();
    const limits = createRateLimits(deps, { tries: 20, others: 5 });
    const asked = (name: 'tries' | 'others', key: string, many: number) =>
      Array.from({ length: many }, () => refusalOf(limits(name, key)));
    const answers = await Promise.all([
      ...asked('tries', 'a', 50),
      ...asked('tries', 'b', 10),
      ...asked('others', 'a', 7),
    ]);
    const refused = answers.map((refusal) => refusal !== undefined);
    const first = (many: number, of: number) => Array.from({ length: of }, (_, n) => n >= many);
    expect(refused).toEqual([...first(20, 50), ...first(10, 10), ...first(5, 7)]);
    expect(statements()).toBe(1);
  });

  it('is shared by processes that count the same keys in another order at the same time', async () => {
    const { deps, url } = await counting();
    const pool = createPool({ url, max: 2, name: 'test-rates-beside' });
    onTestFinished(() => pool.end());
    const [one, other] = [deps, { ...deps, pool }].map((of) => createRateLimits(of, { tries: 100 }));
    const keys = Array.from({ length: 20 }, (_, n) => `key ${n}`);
    const passed = new Map<string, number>();
    const count = async (limits: typeof one, key: string) => {
      if (!(await refusalOf(limits?.('tries', key) ?? Promise.reject())))
        passed.set(key, (passed.get(key) ?? 0) + 1);
    };
    for (let round = 0; round < 30; round++)
      await Promise.all([
        ...keys.flatMap((key) => [count(one, key), count(one, key)]),
        ...keys.toReversed().flatMap((key) => [count(other, key), count(other, key)]),
      ]);
    expect([...passed]).toEqual(expect.arrayContaining(keys.map((key) => [key, 100])));
  });

  it('refuses who is beyond it without a statement, until it ends', async () => {
    const { deps, clock, statements } = await counting();
    const limits = createRateLimits(deps, { tries: 1 });
    const tried = () => refusalOf(limits('tries', 'a'));
    await tried();
    expect(await tried()).toEqual(['RATE_LIMITED', 60]);
    const before = statements();
    clock.advance(minuteMs - 2_000);
    for (let n = 0; n < 10; n++) expect(await tried()).toEqual(['RATE_LIMITED', 2]);
    expect(statements()).toBe(before);
    clock.advance(2_000);
    expect([await tried(), await tried()]).toEqual([undefined, ['RATE_LIMITED', 60]]);
    // The clock was wrong when the limit was put there.
    clock.advance(-10 * minuteMs);
    expect(await tried()).toBeUndefined();
  });

  it('is over where it would end later than any clock can have put it', async () => {
    const { deps, clock, endAt } = await counting();
    const limits = createRateLimits(deps, { tries: 2 });
    await limits('tries', 'a');
    await endAt(clock.now().getTime() + 10 * minuteMs);
    expect(await refusalOf(limits('tries', 'a'))).toBeUndefined();
  });
});

describe('a limit of failures', () => {
  it('is reached by what failed alone', async () => {
    const { deps, clock, endAt } = await counting();
    const { check, count } = createFailureLimit(deps, 'guesses', 2);
    for (let n = 0; n < 3; n++) await check('a');
    await count('a');
    await check('a');
    await count('a');
    expect(await refusalOf(check('a'))).toEqual(['RATE_LIMITED', 60]);
    await check('b');
    await endAt(clock.now().getTime() + 10 * minuteMs);
    await check('a');
  });
});

it('what is over is forgotten, and nothing else', async () => {
  const { deps, clock, kept, endAt } = await counting();
  const limits = createRateLimits(deps, { tries: 2 });
  await limits('tries', 'a');
  await endAt(clock.now().getTime() + 10 * minuteMs);
  await limits('tries', 'b');
  clock.advance(minuteMs - 1);
  await limits('tries', 'c');
  await forgetRates(deps);
  expect(await kept()).toHaveLength(2);
  clock.advance(1);
  await forgetRates(deps);
  expect((await kept()).map(({ expire }) => expire)).toEqual([clock.now().getTime() - 1 + minuteMs]);
});
