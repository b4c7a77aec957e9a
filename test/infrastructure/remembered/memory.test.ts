import { expect, it } from 'vitest';
import { createMemory } from '../../../src/infrastructure/remembered/memory.ts';

it('remembers as many names as it may, the newest', () => {
  const memory = createMemory(2);
  memory.add('one');
  memory.add('two');
  memory.add('one');
  expect(['one', 'two', 'three'].map(memory.has)).toEqual([true, true, false]);
  memory.add('three');
  expect(['one', 'two', 'three'].map(memory.has)).toEqual([false, true, true]);
});
