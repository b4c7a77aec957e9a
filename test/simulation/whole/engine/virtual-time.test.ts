import { uptime } from 'node:os';
import { expect, it } from 'vitest';
import { randomFrom } from '../../random.ts';
import { openVirtualTime } from './virtual-time.ts';

it('goes from one timer to the next, also where many are put off and taken back', () => {
  const random = randomFrom(7);
  const time = openVirtualTime(0, () => true);
  try {
    const timers: NodeJS.Timeout[] = [];
    const wentOff: number[] = [];
    const any = () => random.pick(timers);
    for (let n = 0; n < 400; n++) {
      timers.push(setTimeout(() => void wentOff.push(Date.now()), 1 + random.below(1_000)));
      if (n % 3 === 0) any()?.refresh();
      if (n % 5 === 0) clearTimeout(any());
    }
    for (let n = 0; n < 200; n++) {
      time.next();
      any()?.refresh();
    }
    for (let n = 0; n < 600; n++) time.next();
    expect(wentOff.length).toBeGreaterThan(300);
    expect(wentOff).toEqual(wentOff.toSorted((one, other) => one - other));
  } finally {
    time.end();
  }
});

it('shows a host that was never suspended, however long the process stood still', () => {
  const before = uptime();
  const time = openVirtualTime(0, () => true);
  const began = [uptime(), performance.now()];
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  expect([uptime(), performance.now()]).toEqual(began);
  time.jump(3_000);
  const ended = uptime();
  time.end();
  expect(ended - (began[0] ?? 0)).toBe(3);
  expect(uptime()).toBeGreaterThanOrEqual(before);
  expect(uptime()).toBeLessThan(before + 3_600);
});
