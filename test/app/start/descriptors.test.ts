import { describe, expect, it } from 'vitest';
import { connectionsWith, descriptorsMax } from '../../../src/app/start/descriptors.ts';

describe('the files that a process may have open', () => {
  it('are what the system says', async () => {
    const max = await descriptorsMax();
    expect(max === undefined || max > 0).toBe(true);
  });

  it.each([
    [undefined, 8_192],
    [1_000_000, 8_192],
    [10_240, 8_192],
    [10_000, 7_952],
    [4_096, 2_048],
    [1_024, 512],
    [256, 128],
  ])('where there are %s, leave room for %i connections', (files, connections) =>
    expect(connectionsWith(files, 8_192)).toBe(connections),
  );
});
