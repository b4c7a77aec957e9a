import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPlaces, slowForMs, slowMs } from '../../../src/infrastructure/jobs/places.ts';
import { ofOneMax } from '../../../src/infrastructure/jobs/shares.ts';

const waitingMax = 8;
const waitMaxMs = 3_000;

/** Two places, and time that passes when a test says so. */
function twoPlaces() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const places = createPlaces({
    max: 2,
    waitingMax,
    waitMaxMs,
    refusal: () => new Error('too many wait'),
    late: () => new Error('too late'),
    now: () => performance.now(),
  });
  const begun: (string | undefined)[] = [];
  /** Tells when it begins; what is returned ends it. */
  const ask = async (tenant: string | undefined) => {
    const leave = await places.take(tenant);
    begun.push(tenant);
    return leave;
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const makeSlow = async (tenant: string) => {
    const leave = await ask(tenant);
    await pass(slowMs + 1);
    leave();
    begun.length = 0;
  };
  return { ask, begun, pass, makeSlow };
}

describe('tenants who ask for places', () => {
  it('are served in turn, however many times one asks', async () => {
    const { ask, begun, pass } = twoPlaces();
    const [first, second] = [await ask('one'), await ask('one')];
    for (const tenant of ['one', 'one', 'other', 'one', 'third']) void ask(tenant).then((leave) => leave());
    first();
    await pass(0);
    second();
    await pass(0);
    expect(begun.slice(2)).toEqual(['one', 'other', 'third', 'one', 'one']);
  });

  it('wait no longer than they may', async () => {
    const { ask, pass } = twoPlaces();
    const [first] = [await ask('one'), await ask('one')];
    const late = expect(ask('other')).rejects.toThrow('too late');
    await pass(waitMaxMs);
    await late;
    first();
    await expect(ask('other')).resolves.toBeDefined();
  });

  it('leave room among those who wait', async () => {
    const { ask } = twoPlaces();
    const [first, second] = [await ask('one'), await ask('one')];
    for (let n = 0; n < ofOneMax(waitingMax); n++) void ask('one').catch(() => undefined);
    await expect(ask('one')).rejects.toThrow('too many wait');
    const other = ask('other');
    first();
    second();
    await expect(other).resolves.toBeDefined();
  });
});

describe('a tenant whose work takes long', () => {
  it('leaves a place to the others, with all of its kind', async () => {
    const { ask, begun, makeSlow } = twoPlaces();
    for (const tenant of ['slow', 'slower']) await makeSlow(tenant);
    (await ask('prompt'))();
    const leave = await ask('slow');
    for (const tenant of ['slow', 'slower']) void ask(tenant).catch(() => undefined);
    (await ask('prompt'))();
    expect(begun).toEqual(['prompt', 'slow', 'prompt']);
    leave();
    await vi.waitFor(() => expect(begun).toHaveLength(4));
  });

  it('is slow while it takes long, not only after', async () => {
    const { ask, begun, pass } = twoPlaces();
    (await ask('prompt'))();
    const [leave] = [await ask('slow'), await ask('slow')];
    await pass(slowMs + 1);
    void ask('slow').catch(() => undefined);
    const waiting = ask('prompt');
    leave();
    await waiting;
    expect(begun).toEqual(['prompt', 'slow', 'slow', 'prompt']);
  });

  it('has all places where there is nobody else', async () => {
    const { ask, begun, makeSlow } = twoPlaces();
    await makeSlow('slow');
    await ask(undefined).then((leave) => leave());
    await Promise.all([ask('slow'), ask('slow')]);
    expect(begun).toEqual([undefined, 'slow', 'slow']);
  });

  it('is a slow one no longer than for a while', async () => {
    const { ask, begun, pass, makeSlow } = twoPlaces();
    await makeSlow('slow');
    await pass(slowForMs);
    (await ask('prompt'))();
    await Promise.all([ask('slow'), ask('slow')]);
    expect(begun).toEqual(['prompt', 'slow', 'slow']);
  });
});
