import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createPressure,
  ofOneTenantMax,
  type Pressure,
  refusedAfterMs,
  toBeToldMax,
  underWay,
  underWayMax,
} from '../../../src/infrastructure/http/pressure.ts';

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

/** Enters as often as it may. Returns what ends each of these requests. */
function fill({ enter }: Pressure, tenant: string | undefined): readonly (() => void)[] {
  const leaves: (() => void)[] = [];
  try {
    for (;;) leaves.push(enter('post', tenant));
  } catch (error) {
    expect(error).toEqual(refused);
    return leaves;
  }
}

/** So many tenants, each of which has all that it gets. */
const filledBy = (pressure: Pressure, tenants: number): number =>
  Array.from({ length: tenants }, (_, n) => fill(pressure, `tenant ${n}`).length).reduce((a, b) => a + b);

describe('requests at the same time', () => {
  it('are carried up to the bound, and refused beyond it', () => {
    const pressure = createPressure(() => 0);
    expect(filledBy(pressure, underWayMax)).toBe(underWayMax);
    expect(refusal(() => pressure.enter('post', 'one more'))).toEqual(refused);
    expect(refusal(() => pressure.enter('get', 'one more'))).toEqual(refused);
  });

  it('make room when they end', () => {
    const pressure = createPressure(() => 0);
    const [leave] = fill(pressure, 'one');
    leave?.();
    expect(refusal(() => pressure.enter('post', 'one'))).toBeUndefined();
    expect(refusal(() => pressure.enter('post', 'one'))).toEqual(refused);
  });

  it('that are refused take no room', () => {
    let behindMs = 5_000;
    const { enter } = createPressure(() => behindMs);
    for (let n = 0; n < 2 * underWayMax; n++) refusal(() => enter('post', 'one'));
    behindMs = 0;
    expect(refusal(() => enter('post', 'one'))).toBeUndefined();
  });
});

describe('a tenant that asks for all there is', () => {
  it('has three quarters of it', () => {
    expect(
      fill(
        createPressure(() => 0),
        'one',
      ),
    ).toHaveLength(ofOneTenantMax);
    expect(ofOneTenantMax).toBe(192);
  });

  it.each([1, 2, 5, 20])('leaves a place for another one, also where there are %i of its kind', (tenants) => {
    const pressure = createPressure(() => 0);
    const leaves = new Map(
      Array.from({ length: tenants }, (_, n) => [`tenant ${n}`, fill(pressure, `tenant ${n}`)]),
    );
    // Each has something answered, and asks for all there is again.
    for (let round = 0; round < underWayMax; round++)
      for (const [tenant, [leave, ...others]] of leaves) {
        leave?.();
        leaves.set(tenant, [...others, ...fill(pressure, tenant)]);
      }
    expect(refusal(() => pressure.enter('post', 'another'))).toBeUndefined();
  });

  it('is one tenant with all who say not who they are', () => {
    const pressure = createPressure(() => 0);
    expect(fill(pressure, undefined)).toHaveLength(ofOneTenantMax);
    expect(refusal(() => pressure.enter('post', 'known'))).toBeUndefined();
  });
});

describe('while the read models are behind', () => {
  it.each(['post', 'put', 'patch', 'delete'] as const)('%s is refused', (method) => {
    expect(refusal(() => createPressure(() => 1_001).enter(method, 'one'))).toEqual(refused);
  });

  it('reading goes on', () => {
    expect(refusal(() => createPressure(() => 1_001).enter('get', 'one'))).toBeUndefined();
  });

  it('by no more than a second, everything goes on', () => {
    expect(refusal(() => createPressure(() => 1_000).enter('post', 'one'))).toBeUndefined();
  });
});

describe('one too many', () => {
  const asked = (pressure: Pressure, tally: Record<'done' | 'refused', number>) =>
    underWay(pressure, 'get', undefined, async () => {}).then(
      () => void tally.done++,
      () => void tally.refused++,
    );
  const crowded = () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const pressure = createPressure(() => 0);
    return { pressure, leaves: fill(pressure, undefined), tally: { done: 0, refused: 0 } };
  };

  it('is told a quarter of a second later, and not done then either', async () => {
    const { pressure, leaves, tally } = crowded();
    void asked(pressure, tally);
    leaves[0]?.();
    await vi.advanceTimersByTimeAsync(refusedAfterMs - 1);
    expect(tally).toEqual({ done: 0, refused: 0 });
    await vi.advanceTimersByTimeAsync(1);
    expect(tally).toEqual({ done: 0, refused: 1 });
  });

  it('asks four times a second on a connection that asks again at once', async () => {
    const { pressure, tally } = crowded();
    let over = false;
    const connection = async () => {
      while (!over) await asked(pressure, tally);
    };
    const asking = connection();
    await vi.advanceTimersByTimeAsync(10_000);
    over = true;
    await vi.advanceTimersByTimeAsync(refusedAfterMs);
    await asking;
    expect(tally).toEqual({ done: 0, refused: 41 });
  });

  it('is told at once where more wait for that than may', async () => {
    const { pressure, tally } = crowded();
    for (let n = 0; n < toBeToldMax + 7; n++) void asked(pressure, tally);
    await vi.advanceTimersByTimeAsync(0);
    expect(tally).toEqual({ done: 0, refused: 7 });
    await vi.advanceTimersByTimeAsync(refusedAfterMs);
    expect(tally).toEqual({ done: 0, refused: toBeToldMax + 7 });
  });
});
