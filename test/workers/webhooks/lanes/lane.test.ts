import { describe, expect, it } from 'vitest';
import { idOf } from '../../../../src/kernel/ids.ts';
import {
  closedMaxMs,
  closedMs,
  type Lane,
  laneAfter,
  longestClosedMs,
  silentAfter,
  slowMs,
  standingOf,
  unknownLane,
} from '../../../../src/workers/webhooks/lanes/lane.ts';
import { uuidNumber } from '../../../support/values/ids.ts';

const platformId = idOf('Platform', uuidNumber(1));
const answer = (latencyMs = 1) => ({ answered: true, latencyMs });
const silence = { answered: false, latencyMs: 10_000 };
const following = (lane: Lane, call: typeof silence, now = 0) => laneAfter(lane, call, now, platformId);

/** After so many calls without an answer, one after the other. */
const silentFor = (calls: number, now = 0): Lane =>
  Array.from({ length: calls }).reduce<Lane>((lane) => following(lane, silence, now), unknownLane);

describe('an endpoint', () => {
  it('is unknown until it answers, and then prompt or slow', () => {
    expect(standingOf(unknownLane)).toBe('unknown');
    expect(standingOf(following(unknownLane, answer()))).toBe('prompt');
    expect(standingOf(following(unknownLane, answer(slowMs + 1)))).toBe('slow');
  });

  it('that was slow is prompt again when it is twice as quick as it has to be', () => {
    const slow = following(unknownLane, answer(slowMs + 1));
    expect(following(slow, answer(slowMs * 0.7))).toBe(slow);
    expect(standingOf(following(slow, answer(slowMs * 0.5)))).toBe('prompt');
  });

  it('that has let one call without an answer is taken for slow', () => {
    expect(standingOf(following(following(unknownLane, answer()), silence))).toBe('slow');
  });

  it('is silent after several calls in a row without an answer, and is left alone', () => {
    expect(standingOf(silentFor(silentAfter - 1))).toBe('unknown');
    const silent = silentFor(silentAfter);
    expect(standingOf(silent)).toBe('silent');
    expect(silent.closedUntil).toBeGreaterThan(0);
  });

  it('is not left alone for longer because many calls were under way', () => {
    const silent = silentFor(silentAfter);
    expect(following(silent, silence)).toBe(silent);
  });

  it('is left alone no longer where the clock by which it was has gone back', () => {
    const silent = silentFor(silentAfter, 3 * closedMaxMs);
    const again = following(silent, silence, closedMaxMs);
    expect(again.closedUntil).toBeLessThan(2 * closedMaxMs);
  });

  it('is left alone for longer each time that it is called in vain, up to a bound', () => {
    let lane = silentFor(silentAfter);
    const pauses: number[] = [];
    for (let n = 0; n < 30; n++) {
      const now = lane.closedUntil ?? 0;
      lane = following(lane, silence, now);
      pauses.push((lane.closedUntil ?? 0) - now);
    }
    expect(pauses[0]).toBeGreaterThan(5_000);
    for (const [n, pause] of pauses.slice(0, 4).entries()) expect(pauses[n + 1]).toBeGreaterThan(pause);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(longestClosedMs * 1.2);
  });

  it('is prompt at once when it answers after a long silence', () => {
    expect(following(silentFor(20), answer())).toEqual({ ...unknownLane, pace: 'prompt' });
  });

  it('is called at another moment than others that fell silent together', () => {
    const pauses = Array.from({ length: 50 }, (_one, n) => closedMs(8, idOf('Platform', uuidNumber(n))));
    expect(new Set(pauses).size).toBeGreaterThan(40);
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(longestClosedMs * 0.8);
      expect(pause).toBeLessThanOrEqual(longestClosedMs * 1.2);
    }
  });
});
