import { expect, it } from 'vitest';
import { seldom } from '../../../src/infrastructure/observe/seldom.ts';

it('what happens again and again is told at once, and then once in ten seconds', () => {
  let now = 0;
  const isToTell = seldom(() => now);
  const told: number[] = [];
  for (now = 0; now <= 25_000; now += 500) if (isToTell()) told.push(now);
  expect(told).toEqual([0, 10_000, 20_000]);
});
