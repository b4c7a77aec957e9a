import { expect, it } from 'vitest';
import { createPatience } from '../../../src/infrastructure/remembered/patience.ts';

it('waits twice as long after each failure, up to five minutes, and not at all once it is done', () => {
  let now = 0;
  const later = createPatience(() => new Date(now));
  const waits: number[] = [];
  for (let n = 0; n < 12; n++) {
    later.failed('one');
    const since = now;
    while (later.waiting().length > 0) now += 1_000;
    waits.push((now - since) / 1_000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  later.failed('one');
  later.failed('other');
  expect(later.waiting()).toHaveLength(2);
  later.forget('one');
  expect(later.waiting()).toEqual(['other']);
});

it('remembers no more than so many', () => {
  const rememberedMax = 1_000;
  const later = createPatience(() => new Date(0), rememberedMax);
  for (let n = 0; n < rememberedMax + 10; n++) later.failed(`${n}`);
  expect(later.waiting()).toHaveLength(rememberedMax);
});
