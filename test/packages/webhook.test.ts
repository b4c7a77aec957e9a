/** How @daybook/testing waits for webhooks, on answers that the tests make up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NotTold } from '@daybook/testing';
import { describe, expect, it } from 'vitest';
import { awaitWebhookOn } from '../../packages/testing/src/webhook.ts';
import '../../packages/testing/src/matchers.ts';

const type = 'OUTGOING_PAYMENT.COMPLETED';

/** A service that has told so, page by page, and what it was asked. */
function told(...pages: readonly object[][]) {
  const asked: Record<string, unknown>[] = [];
  let place = 0;
  const sandboxListWebhooks = async ({ query }: { query: Record<string, unknown> }) => {
    asked.push(query);
    const page = pages[asked.length - 1] ?? [];
    return { data: page.map((data) => ({ type, data, place: `${++place}.0` })) };
  };
  return { webhook: awaitWebhookOn({ sandboxListWebhooks } as never), asked };
}

const payment = (id: string, amount = 1) => ({
  id,
  sentAmount: { amount, currency: { code: 'USD' } },
  tags: [1, 2],
});

describe('a webhook', () => {
  it.each([
    ['some of its fields', { id: 'b' }],
    ['fields of its fields', { sentAmount: { amount: 2, currency: { code: 'USD' } } }],
    ['what is asked of it', ({ id }: { id: string }) => id === 'b'],
  ])('is found by %s, and not the ones before it', async (_what, match) => {
    const { webhook } = told([payment('a'), payment('b', 2)]);
    expect((await webhook(type, match as never)).data.id).toBe('b');
  });

  it('of the type is found where nothing is asked of it', async () => {
    expect((await told([payment('a')]).webhook(type)).data.id).toBe('a');
  });

  it('is asked for behind those that were seen', async () => {
    const { webhook, asked } = told([payment('a'), payment('b')], [], [payment('c')]);
    expect((await webhook(type, { id: 'c' })).place).toBe('3.0');
    expect(asked.map(({ after }) => after)).toEqual([undefined, '2.0', '2.0']);
    expect(asked[0]?.waitSeconds).toBe(10);
    const waits = asked.map(({ waitSeconds }) => Number(waitSeconds));
    expect(waits.every((seconds) => seconds > 0 && seconds <= 10)).toBe(true);
  });

  it.each([
    ['another value', { id: 'z' }],
    ['a field that it has not', { reference: 'r' }],
    ['a longer list', { tags: [1, 2, 3] }],
    ['a shorter list', { tags: [1] }],
    ['what does not hold', () => false],
  ])('with %s is none, and the error shows those that there were', async (_what, match) => {
    const { webhook } = told([payment('a')]);
    const call = webhook(type, match as never, 0);
    await expect(call).rejects.toThrow(NotTold);
    await expect(call).rejects.toThrow(/"id":"a"/);
  });

  it('that never comes is waited for as long as was said, and no longer than the service waits', async () => {
    const { webhook, asked } = told();
    await expect(webhook(type, {}, 120)).rejects.toThrow(/there was none of this type/);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.every(({ waitSeconds }) => Number(waitSeconds) <= 1)).toBe(true);
  });
});

describe('a wait', () => {
  /** A service that has the webhooks, and answers when the wait is over, or is given up. */
  const waitingFor = (...pages: readonly object[][]) => {
    const asked: number[] = [];
    const sandboxListWebhooks = async (given: { query: { waitSeconds: number }; signal?: AbortSignal }) => {
      const data = pages[asked.length] ?? [];
      asked.push(given.query.waitSeconds);
      if (data.length === 0)
        await sleep(given.query.waitSeconds * 1_000, undefined, given.signal && { signal: given.signal });
      return { data: data.map((one) => ({ type, data: one, place: '1.0' })) };
    };
    return { webhook: awaitWebhookOn({ sandboxListWebhooks } as never), asked };
  };

  it('is over when it was asked to be, and not at the end of the second', async () => {
    const { webhook, asked } = waitingFor();
    const began = performance.now();
    await expect(webhook(type, {}, 200)).rejects.toThrow(NotTold);
    expect(performance.now() - began).toBeLessThan(700);
    expect(asked).toEqual([1, 0]);
  });

  it('finds what came in its last moment', async () => {
    const { webhook } = waitingFor([], [payment('a')]);
    expect((await webhook(type, {}, 100)).data.id).toBe('a');
  });

  it('that the service refuses is a failure of its own', async () => {
    const sandboxListWebhooks = async () => Promise.reject(new Error('no answer'));
    const webhook = awaitWebhookOn({ sandboxListWebhooks } as never);
    await expect(webhook(type, {}, 100)).rejects.toThrow('no answer');
  });
});

describe('the matcher toBeTold', () => {
  it('holds of what was told, and not of anything else', async () => {
    const platform = () => told([payment('a')]);
    await expect(platform()).toBeTold(type, { id: 'a' });
    await expect(platform()).not.toBeTold(type, { id: 'b' });
    await expect(expect(platform()).not.toBeTold(type, { id: 'a' })).rejects.toThrow(/it was told/);
  });

  it('says nothing where the service could not be asked', async () => {
    const webhook = async () => {
      throw new Error('no answer');
    };
    await expect(expect({ webhook }).not.toBeTold(type)).rejects.toThrow('no answer');
  });
});
