import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noRail } from '../../src/domain/ports/no-rail.ts';
import { boundedRail } from '../../src/use-cases/payments/bounded-rail.ts';

const never = new Promise<never>(() => {});
const silent = boundedRail({ ...noRail, submit: () => never, endingOf: () => never, checkName: () => never });

describe('a rail that does not answer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['submit', () => silent.submit({} as never)],
    ['endingOf', () => silent.endingOf({} as never, 'submitted')],
    ['checkName', () => silent.checkName({} as never)],
  ])('is given up: %s', async (_name, ask) => {
    const outcome = expect(ask()).rejects.toMatchObject({ name: 'StoreAway' });
    await vi.advanceTimersByTimeAsync(60_000);
    await outcome;
  });

  it('is the same rail otherwise', async () => {
    const rail = boundedRail({
      ...noRail,
      umaDomain: 'rail.example',
      checkName: async () => ({ status: 'MATCHED' }),
    });
    expect(rail.umaDomain).toBe('rail.example');
    expect(await rail.checkName({} as never)).toEqual({ status: 'MATCHED' });
  });
});
