import { describe, expect, it } from 'vitest';
import { sharedBuffers } from '../../../src/infrastructure/postgres/server/settings.ts';

const gib = 1024 ** 3;

describe('what the embedded server keeps pages in', () => {
  it.each([
    [0.5, '128MB'],
    [2, '128MB'],
    [4, '256MB'],
    [8, '512MB'],
    [64, '512MB'],
  ])('is with %d GiB of memory %s', (memory, buffers) => {
    expect(sharedBuffers(memory * gib)).toBe(buffers);
  });

  it('is a size of its own where nobody says how much memory there is', () => {
    const [, size] = /^(\d+)MB$/.exec(sharedBuffers()) ?? [];
    expect(Number(size)).toBeGreaterThanOrEqual(128);
    expect(Number(size)).toBeLessThanOrEqual(512);
  });
});
