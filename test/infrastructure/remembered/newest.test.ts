import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rememberNewest } from '../../../src/infrastructure/remembered/newest.ts';

describe('what was used last', () => {
  it('is remembered, and of more than there is room for the one is forgotten that was used before the others', () => {
    const remembered = rememberNewest<string, number>(2);
    remembered.set('a', 1);
    remembered.set('b', 2);
    remembered.get('a');
    remembered.set('c', 3);
    expect([...remembered.keys()]).toEqual(['c', 'a']);
  });

  it('can be told anew, and is still one', () => {
    const remembered = rememberNewest<string, number>(2);
    for (const value of [1, 2, 3]) remembered.set('a', value);
    remembered.set('b', 4);
    expect([...remembered]).toEqual([
      ['b', 4],
      ['a', 3],
    ]);
  });

  it('makes room for others when it is deleted', () => {
    const remembered = rememberNewest<string, number>(2);
    remembered.set('a', 1);
    remembered.set('b', 2);
    remembered.delete('a');
    remembered.set('c', 3);
    expect([...remembered.keys()]).toEqual(['c', 'b']);
  });

  it('is forgotten after its time', async () => {
    const remembered = rememberNewest<string, number>(2, 1);
    remembered.set('a', 1);
    await wait(20);
    expect(remembered.get('a')).toBeUndefined();
  });
});
