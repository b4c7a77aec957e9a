import { expect, it } from 'vitest';
import { createWakers } from '../../../src/infrastructure/event-store/postgres/wakers.ts';

it('a process hears of the log as long as somebody follows it there', () => {
  const said: string[] = [];
  const { add, delete: leave } = createWakers(() => {
    said.push('begins');
    return () => void said.push('ends');
  });
  const [one, other] = [() => undefined, () => undefined];
  expect(said).toEqual([]);
  add(one);
  add(other);
  leave(one);
  expect(said).toEqual(['begins']);
  leave(other);
  add(one);
  expect(said).toEqual(['begins', 'ends', 'begins']);
});
