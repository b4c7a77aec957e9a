/** Who waits for webhooks of the sandbox is woken for its own platform alone, and keeps no place that nobody needs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasNews } from '../../projections/kept/webhook-events.ts';
import { createWaiting, waitingMax } from '../../src/api/sandbox/watching/waiting.ts';
import type { Wake } from '../../src/infrastructure/postgres/wakes.ts';
import { idOf } from '../../src/kernel/ids.ts';

const platformOf = (n: number) => idOf('Platform', `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`);
const [mine, theirs] = [platformOf(1), platformOf(2)];
const longMs = 60_000;

function given() {
  let wake: Wake = () => undefined;
  const on = (_channel: string, heard: Wake) => {
    wake = heard;
    return () => undefined;
  };
  const waiting = createWaiting({ on }, 'channel', hasNews);
  const told = new Map<string, number>();
  const asked = new Map<string, number>();
  const wait = (platformId = mine, { waitMs = longMs, gone = new AbortController().signal } = {}) =>
    waiting.until({
      platformId,
      async ask() {
        asked.set(platformId, (asked.get(platformId) ?? 0) + 1);
        return told.get(platformId) ?? 0;
      },
      willDo: (count) => count > 0,
      waitMs,
      gone,
    });
  const tell = (platformId: string, notice: string | undefined) => {
    told.set(platformId, 1);
    wake(notice);
  };
  return { wait, tell, notice: (text: string | undefined) => wake(text), asked };
}

describe('waiting for webhooks', () => {
  it('ends with the first that is told, and is not woken by those of other platforms', async () => {
    // It asks by itself after a while, which may pass on a machine that has much else to do.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { wait, tell, notice, asked } = given();
    const waiting = wait();
    await sleep(5);
    for (let n = 3; n < 50; n++) notice(platformOf(n));
    await sleep(100);
    expect(asked.get(mine)).toBe(1);
    tell(mine, `${theirs} ${mine}`);
    expect(await waiting).toBe(1);
    expect(asked.get(mine)).toBe(2);
  });

  it.each([
    ['of more platforms than it names', '*'],
    ['that was lost with the connection', undefined],
  ])('ends with a notice %s', async (_what, notice) => {
    const { wait, tell } = given();
    const waiting = wait();
    await sleep(5);
    tell(mine, notice);
    expect(await waiting).toBe(1);
  });

  it('asks nothing more when its caller has gone', async () => {
    const { wait, notice, asked } = given();
    const leaving = new AbortController();
    const waiting = wait(mine, { gone: leaving.signal });
    await sleep(5);
    leaving.abort();
    expect(await waiting).toBe(0);
    notice(mine);
    await sleep(50);
    expect(asked.get(mine)).toBeLessThanOrEqual(2);
  });

  it('leaves places for other platforms, and has its own again when callers go', async () => {
    const { wait, tell } = given();
    const leaving = new AbortController();
    const all = Array.from({ length: waitingMax.platform }, () => wait(mine, { gone: leaving.signal }));
    expect(await wait(mine)).toBe(0);
    const other = wait(theirs);
    await sleep(5);
    tell(theirs, theirs);
    expect(await other).toBe(1);
    leaving.abort();
    await Promise.all(all);
    const again = wait(mine);
    await sleep(5);
    tell(mine, mine);
    expect(await again).toBe(1);
  });

  it('ends when the time is up', async () => {
    const { wait } = given();
    expect(await wait(mine, { waitMs: 30 })).toBe(0);
  });
});
