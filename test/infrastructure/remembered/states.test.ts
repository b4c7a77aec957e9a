import { describe, expect, it } from 'vitest';
import {
  rememberStates,
  sized,
  smallStateBytes,
  statesBytesMax,
} from '../../../src/infrastructure/remembered/states.ts';

const state = { name: 'state' };
const remembering = (streams: number, bytes: number, max = 1_000) => {
  const remembered = rememberStates<object>(max);
  for (let n = 0; n < streams; n++)
    remembered.set(
      `stream-${n}`,
      state,
      sized(() => bytes, state),
    );
  return remembered;
};

describe('remembered states', () => {
  it('are so many at most', () => expect(remembering(20, 0, 10).size).toBe(10));

  it('are so many bytes at most, and the newest of them stay', () => {
    const remembered = remembering(100, Math.floor(statesBytesMax / 10));
    expect(remembered.calculatedSize).toBeLessThanOrEqual(statesBytesMax);
    expect(remembered.size).toBe(9);
    expect(remembered.has('stream-99')).toBe(true);
  });

  it('count for something where nobody says how large they are', () =>
    expect(sized(undefined, state)).toEqual({ size: smallStateBytes }));

  it('stay, however large one of them is', () => {
    const remembered = remembering(2, 100 * statesBytesMax);
    expect([...remembered.keys()]).toEqual(['stream-1', 'stream-0']);
  });
});
