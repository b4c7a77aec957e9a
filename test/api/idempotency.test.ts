import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { basic, clientOf, type Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { bodyFor, keyed, keyedQuotes, type Parties, replayed } from '../support/http/idempotency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import { expectStatus, fund, payoutParties } from '../support/resources/flows.ts';
import { besideOfTests, clientThrough } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { idOfNobody } from '../support/values/ids.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;
const second = besideOfTests(service);
const quote = keyedQuotes(client);
const quotesOf = ({ customer }: Parties) =>
  idsIn(client, '/transactions', { customerId: customer.id, type: 'OUTGOING' });

describe('a keyed request', () => {
  it.each<[string, unknown]>([
    ['the same', undefined],
    ['another amount', { lockedCurrencyAmount: 777 }],
    ['nonsense', { source: 7 }],
  ])('gets the first answer when the second body is %s', async (_what, overrides) => {
    const key = randomUUID();
    const first = await quote(key);
    const again = await quote(key, overrides as object);
    expect([first.status, again.status, replayed(first), replayed(again)]).toEqual([201, 201, null, 'true']);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  it('is told of what it does not read, and its repeat of nothing', async () => {
    const key = randomUUID();
    const own = await payoutParties(client);
    const twice = [1, 2].map(() => () => keyed(client, key, '/quotes', bodyFor(own, { lookupid: 'x' })));
    const warnings: (string | null)[] = [];
    for (const ask of twice) {
      const answer = await ask();
      expectStatus(answer, 201);
      warnings.push(answer.headers.get('warning'));
    }
    expect(warnings).toEqual([expect.stringContaining('did you mean lookupId?'), null]);
  });

  it('gets the answer byte by byte, whatever became of the quote', async () => {
    const key = randomUUID();
    const first: Json = expectStatus(await quote(key), 201);
    expectStatus(await client.post(`/quotes/${first.id}/execute`), 200);
    expect(JSON.stringify(expectStatus(await quote(key), 201))).toBe(JSON.stringify(first));
  });

  it('gets the answer even when the second body cannot be read', async () => {
    const key = randomUUID();
    const first = expectStatus(await quote(key), 201);
    const headers = { authorization: basic(service.credentials), 'idempotency-key': key };
    const again = await client.raw('/quotes', { method: 'POST', headers, body: '{' });
    expect([again.status, again.body]).toEqual([201, first]);
  });

  it.each(['one process', 'two processes'])('makes one quote, sent 20 times at once to %s', async (where) => {
    const own = await payoutParties(client);
    const through = where === 'one process' ? [client] : [client, clientThrough(second, service)];
    const key = randomUUID();
    const answers = await together(20, (n) =>
      keyed(
        through[n % through.length] ?? client,
        key,
        '/quotes',
        bodyFor(own, { lockedCurrencyAmount: 5_000 + n }),
      ),
    );
    expect(countByStatus(answers)).toEqual({ 201: 20 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await quotesOf(own)).toEqual([answers[0]?.body.transactionId]);
  });

  it('executes a quote once, sent 20 times at once', async () => {
    const own = await payoutParties(client, 10_000);
    const { id } = expectStatus(await client.post('/quotes', bodyFor(own)), 201);
    const key = randomUUID();
    const answers = await together(20, () => keyed(client, key, `/quotes/${id}/execute`));
    expect(countByStatus(answers)).toEqual({ 200: 20 });
    expectProblem(await keyed(client, randomUUID(), `/quotes/${id}/execute`), 409, 'CONFLICT');
  });

  it('is remembered by another process', async () => {
    const key = randomUUID();
    const first = await quote(key);
    const again = await quote(key, {}, clientThrough(second, service));
    expect([again.status, again.body, replayed(again)]).toEqual([201, first.body, 'true']);
  });

  it('is remembered by the same process after a restart', async () => {
    const { databaseUrl } = service;
    const earlier = await startTestService({ databaseUrl, variables: { DAYBOOK_ROLES: 'api' } });
    const own = await payoutParties(earlier.client);
    const key = randomUUID();
    const first = await keyed(earlier.client, key, '/quotes', bodyFor(own));
    await earlier.stop();
    const again = await keyed(clientOf(second.url, earlier.credentials), key, '/quotes', {});
    expect([again.status, again.body]).toEqual([201, first.body]);
  });
});

describe('a refusal of a keyed request', () => {
  it('is kept for a bad field', async () => {
    const key = randomUUID();
    const first = await quote(key, { lockedCurrencyAmount: 0 });
    const again = await quote(key);
    expectProblem(again, 400, 'INVALID_AMOUNT');
    expect([again.body, replayed(again)]).toEqual([first.body, 'true']);
  });

  it('is kept for want of money', async () => {
    const own = await payoutParties(client, 1);
    const { id } = expectStatus(await client.post('/quotes', bodyFor(own)), 201);
    const key = randomUUID();
    expectProblem(await keyed(client, key, `/quotes/${id}/execute`), 400, 'INSUFFICIENT_BALANCE');
    await fund(client, own.account.id, 10_000);
    expectProblem(await keyed(client, key, `/quotes/${id}/execute`), 400, 'INSUFFICIENT_BALANCE');
    expectStatus(await keyed(client, randomUUID(), `/quotes/${id}/execute`), 200);
  });

  it('is kept for what is not found', async () => {
    const key = randomUUID();
    const path = `/quotes/${idOfNobody('Quote')}/execute`;
    const answers = [await keyed(client, key, path), await keyed(client, key, path)];
    for (const answer of answers) expectProblem(answer, 404, 'QUOTE_NOT_FOUND');
    expect(answers.map(replayed)).toEqual([null, 'true']);
  });

  it('is not kept for bad credentials', async () => {
    const key = randomUUID();
    const stranger = clientOf(service.url, { ...service.credentials, clientSecret: 'not the secret' });
    expectProblem(await quote(key, {}, stranger), 401);
    const answer = await quote(key);
    expect([answer.status, replayed(answer)]).toEqual([201, null]);
    expectProblem(await quote(key, {}, stranger), 401);
  });
});

describe('a key', () => {
  it.each([
    ['256 characters', 'k'.repeat(256)],
    ['no character', ''],
  ])('of %s is refused', async (_what, key) => {
    const problem = expectProblem(await quote(key), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['Idempotency-Key']);
  });

  it.each([
    ['255 characters', 'k'],
    ['odd characters', '{"a":\'%s\';--}~'],
  ])('may have %s', async (_what, text) => {
    const key = text.length === 1 ? text.repeat(255) : text;
    const first = expectStatus(await quote(key), 201);
    expect(expectStatus(await quote(key), 201)).toEqual(first);
  });

  it('is not mixed up with another', async () => {
    const ids = await together(10, async (n) => expectStatus(await quote(`key-${n}`), 201).id);
    expect(new Set(ids).size).toBe(10);
  });
});
