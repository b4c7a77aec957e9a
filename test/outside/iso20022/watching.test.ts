import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bankSettings, openBank } from '../../support/bank/bank.ts';
import { entry, statement } from '../../support/bank/messages.ts';
import { patienceMs } from '../../support/time/patience.ts';

const everyMs = bankSettings('').everySeconds * 1_000;
const text = statement([entry({ remittance: 'DB-ABCDEFGHIJ' })]);

/** A turn is over when the next one is waited for. Files take real time, of which a test knows nothing. */
const untilItWaits = () =>
  vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 1, timeout: patienceMs });

describe('watching that is begun anew', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('looks again no sooner than it would have, so that half a file is not taken for a whole one', async () => {
    const bank = await openBank();
    const path = join(bank.folder, 'in', 'a.xml');
    writeFileSync(path, text.slice(0, text.length / 2));
    const former = new AbortController();
    const ended = bank.rail.watch?.(former.signal);
    await untilItWaits();
    former.abort();
    await ended;
    const now = new AbortController();
    const watching = bank.rail.watch?.(now.signal);
    await untilItWaits();
    await vi.advanceTimersByTimeAsync(everyMs / 2);
    expect(bank.names('rejected')).toEqual([]);
    writeFileSync(path, text);
    for (const _ of [1, 2]) {
      await vi.advanceTimersByTimeAsync(everyMs);
      await untilItWaits();
    }
    now.abort();
    await watching;
    expect(bank.names('rejected')).toEqual([]);
    expect(bank.told.arrivals).toHaveLength(1);
  });
});
