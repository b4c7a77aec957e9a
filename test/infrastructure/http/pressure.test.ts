import { describe, expect, it } from 'vitest';
import { createPressure, underWayMax } from '../../../src/infrastructure/http/pressure.ts';

const refused = expect.objectContaining({
  code: 'SERVICE_UNAVAILABLE',
  details: { retryAfterSeconds: 1 },
});

function refusal(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('requests at the same time', () => {
  it('are carried up to the bound, and refused beyond it', () => {
    const { enter } = createPressure(() => 0);
    for (let n = 0; n < underWayMax; n++) enter('post');
    expect(refusal(() => enter('post'))).toEqual(refused);
    expect(refusal(() => enter('get'))).toEqual(refused);
  });

  it('make room when they end', () => {
    const { enter } = createPressure(() => 0);
    const leaves = Array.from({ length: underWayMax }, () => enter('post'));
    leaves[0]?.();
    expect(refusal(() => enter('post'))).toBeUndefined();
    expect(refusal(() => enter('post'))).toEqual(refused);
  });

  it('that are refused take no room', () => {
    let behindMs = 5_000;
    const { enter } = createPressure(() => behindMs);
    for (let n = 0; n < 2 * underWayMax; n++) refusal(() => enter('post'));
    behindMs = 0;
    expect(refusal(() => enter('post'))).toBeUndefined();
  });
});

describe('while the read models are behind', () => {
  it.each(['post', 'put', 'patch', 'delete'] as const)('%s is refused', (method) => {
    expect(refusal(() => createPressure(() => 1_001).enter(method))).toEqual(refused);
  });

  it('reading goes on', () => {
    expect(refusal(() => createPressure(() => 1_001).enter('get'))).toBeUndefined();
  });

  it('by no more than a second, everything goes on', () => {
    expect(refusal(() => createPressure(() => 1_000).enter('post'))).toBeUndefined();
  });
});
