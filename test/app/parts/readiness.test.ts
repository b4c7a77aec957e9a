import { describe, expect, it, onTestFinished } from 'vitest';
import { openReadiness } from '../../../src/app/parts/readiness.ts';

type Deps = Parameters<typeof openReadiness>[0];

/** A process whose servers answer when the test says so, and are counted. */
async function asked() {
  const counts = { pool: 0, store: 0 };
  const answers: (() => void)[] = [];
  const answering = () => new Promise<void>((resolve) => answers.push(resolve));
  const deps = {
    config: { eventStoreUrl: 'esdb://127.0.0.1:2113' },
    pool: {
      query() {
        counts.pool += 1;
        return answering();
      },
    },
    store: {
      last() {
        counts.store += 1;
        return answering();
      },
    },
    readDb: {},
    every: () => async () => {},
  } as unknown as Deps;
  const readiness = await openReadiness(deps, []);
  const answerAll = () => {
    for (const answer of answers.splice(0)) answer();
  };
  onTestFinished(answerAll);
  return { readiness, counts, answerAll };
}

describe('whether a process is ready', () => {
  it('is asked of each server once for all who want to know meanwhile', async () => {
    const { readiness, counts, answerAll } = await asked();
    const before = { ...counts };
    const all = Array.from({ length: 500 }, () => readiness());
    answerAll();
    for (const { ready } of await Promise.all(all)) expect(ready).toBe(true);
    expect(counts).toEqual({ pool: before.pool + 1, store: before.store + 1 });
  });

  it('is asked again afterwards', async () => {
    const { readiness, counts, answerAll } = await asked();
    const first = readiness();
    answerAll();
    await first;
    const before = { ...counts };
    const next = readiness();
    answerAll();
    expect(await next).toMatchObject({ ready: true, notReady: [] });
    expect(counts).toEqual({ pool: before.pool + 1, store: before.store + 1 });
  });
});
