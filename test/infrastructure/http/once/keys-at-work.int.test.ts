/** A key whose earlier holders may still be at work, in one process or another. */
import { describe, expect, it } from 'vitest';
import { longestRequestSeconds } from '../../../../src/infrastructure/deadlines/deadline.ts';
import { answerMaxMs } from '../../../../src/infrastructure/postgres/pool.ts';
import { query } from '../../../support/postgres/database.ts';
import { asked, begin, keptAnswers } from './keys.ts';

/** So many seconds go by. */
const goOn = (url: string, seconds: number) =>
  query(
    url,
    `update daybook.idempotency_keys set held_until = held_until - $1 * interval '1 second',
       at_work_until = at_work_until - $1 * interval '1 second'`,
    [seconds],
  );

describe('those who had a key before', () => {
  /** Holds the key, and is overtaken so many seconds after it took it. */
  async function heldFor(seconds: number) {
    const { store, url, otherStore } = await keptAnswers();
    const first = await begin(store, 'key');
    await goOn(url, seconds);
    return { first, store, url, next: otherStore() };
  }
  /** As long as a request may take, and what it had sent by then. */
  const atWorkSeconds = 22;

  it('are nobody where the key is new, or was left by one who does nothing more', async () => {
    const { store } = await keptAnswers();
    const first = await begin(store, 'key');
    expect(first.othersForSeconds).toBeUndefined();
    await first.leave(true);
    expect((await begin(store, 'key')).othersForSeconds).toBeUndefined();
  });

  it('may be at work for as long as one was that has left it in doubt', async () => {
    const { store } = await keptAnswers();
    await (await begin(store, 'key')).leave(false);
    const { othersForSeconds = 0 } = await begin(store, 'key');
    expect(othersForSeconds).toBeGreaterThan(0);
    expect(othersForSeconds).toBeLessThanOrEqual(atWorkSeconds);
  });

  it('may be at work where they are overtaken, and nobody later makes that longer', async () => {
    const { next } = await heldFor(6);
    const second = await begin(next, 'key');
    await second.leave(true);
    const third = await begin(next, 'key');
    expect(second.othersForSeconds).toBeLessThanOrEqual(atWorkSeconds - 6);
    expect(third.othersForSeconds).toBeGreaterThan(0);
    expect(third.othersForSeconds).toBeLessThanOrEqual(second.othersForSeconds ?? 0);
  });

  it('record nothing from the moment on from which nobody counts on them', async () => {
    const { first, next, url } = await heldFor(6);
    await begin(next, 'key');
    const [row] = await query<{ until: number }>(
      url,
      'select (extract(epoch from others_until) * 1000)::float8 as until from daybook.idempotency_keys',
    );
    expect(row?.until).toBeCloseTo(first.latest + answerMaxMs - 6_000, 0);
  });

  it('are done once it is long ago', async () => {
    const { next } = await heldFor(atWorkSeconds);
    expect(await begin(next, 'key')).toMatchObject({ isRepeat: true, othersForSeconds: undefined });
  });

  it('have the answer where whoever has overtaken them has left it, unless they are refused', async () => {
    for (const [status, isKept] of [
      [201, true],
      [409, false],
    ] as const) {
      const { first, store, next } = await heldFor(6);
      await (await begin(next, 'key')).leave(true);
      const kept = await first.keep({ status, body: 'done' }).catch((error) => error.code);
      expect(kept).toEqual(
        isKept ? expect.objectContaining({ status, body: 'done' }) : 'SERVICE_UNAVAILABLE',
      );
      expect('status' in (await store.begin('key', asked))).toBe(isKept);
    }
  });

  it('may be at work for as long as a request has where they are, and may have less where the key is taken', async () => {
    const { url, otherStore } = await keptAnswers();
    await begin(otherStore({ requestMaxMs: 60_000 }), 'key');
    await goOn(url, 6);
    const second = await begin(otherStore(), 'key');
    expect(second.othersForSeconds).toBeGreaterThan(atWorkSeconds);
    expect(second.othersForSeconds).toBeLessThanOrEqual(60 + 12 - 6);
    await second.leave(true);
    expect((await begin(otherStore(), 'key')).othersForSeconds).toBeGreaterThan(atWorkSeconds);
  });

  it('may be at work for as long as one of a former version would be, which does not say so', async () => {
    const { next, url } = await heldFor(6);
    await query(url, 'update daybook.idempotency_keys set at_work_until = null');
    const { othersForSeconds = 0 } = await begin(next, 'key');
    expect(othersForSeconds).toBeGreaterThan(0);
    expect(othersForSeconds).toBeLessThanOrEqual(atWorkSeconds - 6);
  });

  it('are not counted on for longer than any request may take, where the clock was put back', async () => {
    const { next } = await heldFor(-3_600);
    const { othersForSeconds } = await begin(next, 'key');
    expect(othersForSeconds).toBeLessThanOrEqual(longestRequestSeconds + 12);
  });
});
