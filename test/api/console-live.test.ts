import { describe, expect, it } from 'vitest';
import { liveMax } from '../../src/api/console/live/live.ts';
import { basic, type Json } from '../support/http/client.ts';
import { signIn } from '../support/http/console.ts';
import { expectProblem } from '../support/http/problems.ts';
import { holdProjector } from '../support/postgres/read-models.ts';
import { serviceOfTests, startTestService, type TestService } from '../support/processes/service.ts';
import {
  expectStatus,
  fund,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { balanceOf, customerWith } from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { issueToken } from '../support/resources/tokens.ts';

const service = serviceOfTests();
const other = besideOfTests(service);

/** What a stream has told so far. */
async function watch({ url, credentials }: TestService, headers?: Record<string, string>) {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/console/live`, {
    headers: headers ?? { authorization: basic(credentials) },
    signal: leaving.signal,
  });
  const told: { id: string; event: string; data: Json }[] = [];
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const begun = await reader?.read();
  let text = '';
  const read = async (): Promise<void> => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      text += value;
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const [, id = '', event = '', data = ''] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(message) ?? [];
        if (id) told.push({ id, event, data: JSON.parse(data) });
      }
    }
  };
  const reading = read().catch(() => undefined);
  return {
    status: answer.status,
    begun: begun?.value,
    type: answer.headers.get('content-type'),
    told,
    ended: reading,
    leave: async () => {
      leaving.abort();
      await reading;
    },
  };
}

async function pay(of: TestService): Promise<string> {
  const { account, payee } = await payoutParties(of.client);
  const quote = quoteBody(account.id, payee.id, { immediatelyExecute: true });
  return expectStatus(await of.client.post('/quotes', quote), 201).transactionId;
}

describe('who watches payments', () => {
  it('is told how each goes on, to its end, and what reads show is no older', async () => {
    const stream = await watch(service);
    expect(stream.type).toBe('text/event-stream; charset=utf-8');
    expect(stream.begun).toBe(': begun\n\n');
    const clock = async (change: string, body?: object) =>
      expectStatus(await service.client.post(`/sandbox/clock/${change}`, body), 200);
    await clock('freeze');
    const id = await pay(service);
    const told = () => stream.told.filter(({ data }) => data.id === id);
    // What is told is the payment as it is by then: it goes on when this has been.
    await expect.poll(() => told().at(-1)?.data.status).toBe('PROCESSING');
    await clock('advance', { duration: 'PT1M' });
    await clock('resume');
    await untilTransaction(service.client, id, 'COMPLETED');
    await expect.poll(() => told().at(-1)?.data.status).toBe('COMPLETED');
    const own = told();
    expect(own.map(({ event }) => event)).toEqual(own.map(() => 'transaction'));
    expect(own[0]?.data).toMatchObject({ id, type: 'OUTGOING' });
    const positions = own.map((one) => BigInt(one.id));
    expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)));
    await stream.leave();
  });

  it('is told what the read models have late as soon as they have it', async () => {
    const slow = await startTestService({ patienceMs: undefined });
    const { customer, account } = await customerWith(slow.client, 100);
    const stream = await watch(slow);
    const release = await holdProjector(slow.databaseUrl);
    // Each answer has waited for as long as it waits.
    for (const amount of [7, 8, 9]) await fund(slow.client, account.id, amount);
    await release();
    await expect.poll(() => balanceOf(slow.client, customer.id)).toBe(124);
    await expect.poll(() => new Set(stream.told.map(({ data }) => data.id)).size).toBe(3);
    await stream.leave();
    await slow.stop();
  });

  it('is told nothing of another platform, and nothing from before', async () => {
    const before = await pay(service);
    await untilTransaction(service.client, before, 'COMPLETED');
    const [ours, theirs] = [await watch(service), await watch(other)];
    const [our, their] = [await pay(service), await pay(other)];
    await expect.poll(() => ours.told.at(-1)?.data).toMatchObject({ id: our, status: 'COMPLETED' });
    await expect.poll(() => theirs.told.at(-1)?.data).toMatchObject({ id: their, status: 'COMPLETED' });
    // Funding the accounts was a payment too.
    for (const [{ told }, own, foreign] of [
      [ours, service, other],
      [theirs, other, service],
    ] as const)
      for (const id of new Set(told.map(({ data }) => data.id))) {
        expect(id).not.toBe(before);
        expectStatus(await own.client.get(`/transactions/${id}`), 200);
        expectProblem(await foreign.client.get(`/transactions/${id}`), 404);
      }
    await ours.leave();
    await theirs.leave();
  });

  it('may be a session of the console, and is no other than a number of a platform', async () => {
    const { cookie } = await signIn(service, await issueToken(service.client, ['VIEW']));
    const session = { cookie, 'x-daybook-console': '1' };
    const streams = [];
    for (let n = 0; n < liveMax.platform; n++) streams.push(await watch(service, session));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    expectProblem(await service.client.get('/console/live'), 429, 'RATE_LIMITED');
    expectStatus(await other.client.get('/console/live', { seconds: '1' }), 200);
    for (const { leave } of streams) await leave();
    await expect
      .poll(async () => (await service.client.get('/console/live', { seconds: '1' })).status)
      .toBe(200);
    expect((await watch(service, { cookie })).status).toBe(401);
  });

  it('is told nothing more once the token is deleted, or the session ended', async () => {
    const token = await issueToken(service.client, ['VIEW']);
    const { cookie, raw } = await signIn(service, await issueToken(service.client, ['VIEW']));
    const ended = [
      await watch(service, { authorization: basic(token) }),
      await watch(service, { cookie, 'x-daybook-console': '1' }),
    ];
    const stays = await watch(service);
    expectStatus(await service.client.delete(`/tokens/${token.id}`), 204);
    expectStatus(await raw('/console/session', { method: 'DELETE' }), 204);
    const id = await pay(service);
    await expect.poll(() => stays.told.at(-1)?.data).toMatchObject({ id, status: 'COMPLETED' });
    for (const stream of ended) {
      await stream.ended;
      expect(stream.told).toEqual([]);
    }
    await stays.leave();
  });
});
