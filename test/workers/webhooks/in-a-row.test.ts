/** Attempts of one event, by the time of the platform it is for. */
import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { idOf } from '../../../src/kernel/ids.ts';
import { attempt, attemptTimeoutMs } from '../../../src/workers/webhooks/attempt.ts';
import { attemptsInARow, rowMaxMs } from '../../../src/workers/webhooks/in-a-row.ts';
import type { WebhookKey } from '../../../src/workers/webhooks/keys.ts';
import { type Claimed, leaseMs } from '../../../src/workers/webhooks/lanes/claims.ts';
import { unknownLane } from '../../../src/workers/webhooks/lanes/lane.ts';
import type { Outcome } from '../../../src/workers/webhooks/send.ts';
import { testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const signing: WebhookKey = {
  id: idOf('WebhookKey', uuidNumber(1)),
  createdAt: testStart,
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  privateKey,
  secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
};
const hourMs = 3_600_000;
/** A year ahead of the installation's. */
const platformTime = new Date(testStart.getTime() + 365 * 24 * hourMs);
const claimed: Claimed = {
  id: idOf('Webhook', uuidNumber(2)),
  platformId: idOf('Platform', uuidNumber(3)),
  url: 'https://receiver.example/hooks',
  environment: 'sandbox',
  attempts: 1,
  objectId: 'Transaction:1',
  type: 'OUTGOING_PAYMENT.COMPLETED',
  body: '{}',
  retries: 0,
  retryingSince: platformTime,
  redelivery: false,
  lane: unknownLane,
};
const depsWith = (send: () => Promise<Outcome>, reach?: Date) => ({
  keys: { current: async () => ({ signing }) } as never,
  sender: { send, stop: async () => undefined } as never,
  answered: async () => undefined,
  now: () => testStart,
  times: { nowOf: () => platformTime, reachOf: () => reach },
});

it('waits as long as a date of the receiver says, however far the platform is ahead', async () => {
  const retryAfter = new Date(testStart.getTime() + hourMs).toUTCString();
  const made = await attempt(
    depsWith(async () => ({ status: 503, latencyMs: 1, retryAfter })),
    claimed,
  );
  expect(made.ending).toEqual({
    state: 'PENDING',
    nextAttemptAt: new Date(platformTime.getTime() + hourMs),
  });
});

describe('attempts in a row', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'], now: testStart });
    return () => vi.useRealTimers();
  });

  it('end before another worker could take the event, however late the answers are', async () => {
    const begun: number[] = [];
    const send = async (): Promise<Outcome> => {
      begun.push(performance.now());
      vi.advanceTimersByTime(3_500);
      return { status: 500, latencyMs: 3_500 };
    };
    const deps = depsWith(send, new Date(platformTime.getTime() + 24 * hourMs));
    const start = performance.now();
    const until = start + rowMaxMs;
    const { last, before } = await attemptsInARow(deps, await attempt(deps, claimed), until);
    expect(begun.map((at) => at - start)).toEqual([0, 3_500]);
    expect([before.length, last.claimed.attempts]).toEqual([1, 2]);
    expect(rowMaxMs + attemptTimeoutMs).toBeLessThan(leaseMs);
  });

  it('are as many as come before the clock stops', async () => {
    const deps = depsWith(
      async () => ({ status: 500, latencyMs: 1 }),
      new Date(platformTime.getTime() + 16_000),
    );
    const { last, before } = await attemptsInARow(
      deps,
      await attempt(deps, claimed),
      Number.POSITIVE_INFINITY,
    );
    // After 5 s and 10 s more; the next would be 20 s later.
    expect([before.length, last.claimed.retries]).toEqual([2, 2]);
  });
});
