import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EmailRow } from '../../../projections/tables/wallets.ts';
import type { WorkSession } from '../../../src/infrastructure/jobs/work-session.ts';
import type { Log } from '../../../src/infrastructure/observe/log.ts';
import type { Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { createSealer } from '../../../src/infrastructure/secrets/sealing.ts';
import { mailContext, openEmails } from '../../../src/workers/mail/outbox.ts';
import { testStart } from '../../support/time/clock.ts';
import { mailTo } from './mailer-contract.ts';

/** The signal of a try that a mail server says nothing to. */
async function tried() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const sealer = createSealer({ current: Buffer.alloc(32, 7).toString('base64') });
  const { sealed, masterKeyId } = sealer.seal(JSON.stringify(mailTo('ada@example.com')), mailContext('one'));
  const due = [{ id: 'one', attempts: 1, sealed, master_key_id: masterKeyId } as EmailRow];
  const asked: AbortSignal[] = [];
  const emails = openEmails({
    pool: { query: async () => ({ rowCount: 1, rows: [] }) } as unknown as Pool,
    session: { claim: async () => due.splice(0) } as unknown as WorkSession,
    sealer,
    every: () => async () => undefined,
    mailer: {
      send(_, __, { signal }) {
        asked.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', reject));
      },
      close: () => undefined,
    },
    log: { warn: () => undefined } as unknown as Log,
    now: () => testStart,
    nowOf: () => testStart,
  });
  const stop = emails.work();
  await emails.look();
  expect(asked).toHaveLength(1);
  return { signal: asked[0], stop };
}

describe('a try to send a mail', () => {
  it('ends where it is given up, before the next one begins', async () => {
    const { signal } = await tried();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(signal?.aborted).toBe(true);
  });

  it('ends with the work, which somebody else goes on with', async () => {
    const { signal, stop } = await tried();
    const stopped = stop();
    await vi.advanceTimersByTimeAsync(2_000);
    await stopped;
    expect(signal?.aborted).toBe(true);
  });
});
