import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLiveRates, ratesAt } from '../../src/outside/live-rates.ts';
import { msLater, steppableClock, testStart } from '../support/time/clock.ts';
import { patienceMs } from '../support/time/patience.ts';

const file = readFileSync(join(import.meta.dirname, '../../rates/2026-11-01.json'), 'utf8');
const ageMaxMs = 60_000;
const minute = 60_000;
const jumpMaxPercent = 20;

const made = (at: Date, eur = '1.1652'): object => {
  const table = JSON.parse(file);
  return { ...table, mid: { ...table.mid, EUR: eur }, updatedAt: at.toISOString() };
};

async function scene() {
  const clock = steppableClock();
  const source: { said: unknown } = { said: file };
  const read = async () => {
    if (source.said instanceof Error) throw source.said;
    return source.said;
  };
  const rates = await openLiveRates({ read }, { now: clock.now, ageMaxMs, jumpMaxPercent });
  return { clock, source, rates };
}

describe('rates that are read again', () => {
  it('are used until they are too old, and again once there are new ones', async () => {
    const { clock, source, rates } = await scene();
    clock.advance(minute);
    expect(rates.table.base).toBe('USD');
    clock.advance(1);
    expect(() => rates.table).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    expect(rates.areStale()).toBe(true);
    source.said = made(clock.now(), '1.2000');
    await rates.refresh();
    expect(rates.table.mid.EUR).toEqual(expect.objectContaining({ coefficient: 12000n }));
    expect(rates.areStale()).toBe(false);
  });

  it.each([
    ['that cannot be had', new Error('away')],
    ['that are not valid', '{}'],
    ['that are not JSON', 'rates'],
  ])('keep what was there in place of some %s', async (_what, said) => {
    const { source, rates } = await scene();
    source.said = said;
    await expect(rates.refresh()).rejects.toThrow();
    expect(rates.table.base).toBe('USD');
    expect(rates.updatedAt).toEqual(testStart);
  });

  it('are as old as they say, however lately they were read', async () => {
    const { clock, source, rates } = await scene();
    clock.advance(2 * minute);
    source.said = made(msLater(30_000));
    await rates.refresh();
    expect([rates.updatedAt, rates.areStale()]).toEqual([msLater(30_000), true]);
  });

  it('are not replaced by older ones, and none come from the future', async () => {
    const { clock, source, rates } = await scene();
    source.said = made(msLater(-1), '9');
    await rates.refresh();
    expect(rates.table.mid.EUR).toEqual(expect.objectContaining({ coefficient: 11652n }));
    clock.advance(10);
    source.said = made(msLater(3_600_000));
    await rates.refresh();
    expect(rates.updatedAt).toEqual(msLater(10));
  });

  it.each([
    ['a digit too many', '11.652', /by more than 20 %: EUR from 1\.1652 to 11\.652$/],
    ['a digit too few', '0.11652', /EUR from 1\.1652 to 0\.11652$/],
    ['a little more than may be', '1.39825', /EUR/],
  ])('are not replaced by some with %s, again and again', async (_what, eur, told) => {
    const { clock, source, rates } = await scene();
    source.said = made(clock.now(), eur);
    for (const _ of [1, 2]) await expect(rates.refresh()).rejects.toThrow(told);
    expect(rates.table.mid.EUR).toEqual(expect.objectContaining({ coefficient: 11652n }));
  });

  it('are replaced by some that are as far away as may be, each time', async () => {
    const { clock, source, rates } = await scene();
    for (const eur of ['1.39824', '1.67788', '1.39824', '1.1653']) {
      source.said = made(clock.now(), eur);
      await rates.refresh();
    }
    expect(rates.table.mid.EUR).toEqual(expect.objectContaining({ coefficient: 11653n }));
  });

  it('are not replaced where what the counterparty leaves of them jumps', async () => {
    const { source, rates } = await scene();
    source.said = { ...JSON.parse(file), counterpartyMultiplier: '9.98' };
    await expect(rates.refresh()).rejects.toThrow(/counterpartyMultiplier from 0\.998 to 9\.98$/);
  });

  it('keep a service without any from starting', async () => {
    const read = async () => {
      throw new Error('away');
    };
    await expect(openLiveRates({ read }, { now: () => testStart, ageMaxMs, jumpMaxPercent })).rejects.toThrow(
      'away',
    );
  });
});

describe('rates at an address', () => {
  const answers: Record<string, (response: import('node:http').ServerResponse) => void> = {
    '/rates': (response) => response.end(file),
    '/away': (response) => response.writeHead(500).end(),
    '/elsewhere': (response) => response.writeHead(302, { location: '/rates' }).end(),
    '/endless': (response) => response.end('x'.repeat(1024 * 1024 + 1)),
  };
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) =>
    answers[request.url ?? '']?.(response),
  );
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void server.close());
  const at = (path: string) => {
    const { port } = server.address() as AddressInfo;
    return ratesAt(`http://127.0.0.1:${port}${path}`).read({ signal: AbortSignal.timeout(patienceMs) });
  };

  it('are its text', async () => expect(await at('/rates')).toBe(file));
  it.each(['/away', '/elsewhere', '/endless'])('are none where it answers as %s does', async (path) => {
    await expect(at(path)).rejects.toThrow();
  });
});
