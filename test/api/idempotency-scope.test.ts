import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { basic } from '../support/http/client.ts';
import { together } from '../support/http/concurrency.ts';
import { bodyFor, keyed, keyedQuotes, replayed } from '../support/http/idempotency.ts';
import { documented } from '../support/interface/interface.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { expectStatus, payoutParties } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;
const second = besideOfTests(service);
const quote = keyedQuotes(client);
describe('the scope of a key', () => {
  it('is the platform, whichever token', async () => {
    const key = randomUUID();
    const first = expectStatus(await quote(key), 201);
    const colleague = await clientWith(service, ['TRANSACT']);
    expect(expectStatus(await quote(key, {}, colleague), 201)).toEqual(first);
  });

  it('is told where it was used for something else, and by which fields', async () => {
    const key = randomUUID();
    const first = expectStatus(await quote(key), 201);
    const other = await quote(key, { lockedCurrencyAmount: 7_000, description: 'rent' });
    expect([other.status, other.body]).toEqual([201, first]);
    expect(other.headers.get('daybook-body-differs')).toBe('description, lockedCurrencyAmount');
    expect((await quote(key)).headers.get('daybook-body-differs')).toBeNull();
  });

  it('is refused for something else where the platform wants it so', async () => {
    const theirs = await payoutParties(second.client);
    const ask = (key: string, overrides = {}) =>
      keyed(second.client, key, '/quotes', bodyFor(theirs, overrides));
    const key = randomUUID();
    expectStatus(await second.client.patch('/config', { strictIdempotency: true }), 200);
    const first = expectStatus(await ask(key), 201);
    const refused = await ask(key, { lockedCurrencyAmount: 7_000 });
    expect([refused.status, refused.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect(refused.body.details.fields).toEqual(['lockedCurrencyAmount']);
    expect(expectStatus(await ask(key), 201)).toEqual(first);
    expectStatus(await second.client.patch('/config', { strictIdempotency: false }), 200);
    expect(expectStatus(await ask(key, { lockedCurrencyAmount: 7_000 }), 201)).toEqual(first);
  });

  it('means what the first with the right asks for, also where others are refused', async () => {
    const key = randomUUID();
    const reader = await clientWith(service, ['VIEW']);
    expectStatus(await client.patch('/config', { strictIdempotency: true }), 200);
    const refused = await quote(key, { lockedCurrencyAmount: 7_000 }, reader);
    expect([refused.status, refused.headers.get('daybook-body-differs')]).toEqual([403, null]);
    const answer = await quote(key);
    expect([answer.status, answer.headers.get('daybook-body-differs')]).toEqual([201, null]);
    const looked = await quote(key, { lockedCurrencyAmount: 7_000 }, reader);
    expect([looked.status, looked.headers.get('daybook-body-differs')]).toEqual([403, null]);
    expectStatus(await client.patch('/config', { strictIdempotency: false }), 200);
  });

  it('is taken for what it is, whatever its body holds', async () => {
    const raw = (body: string) =>
      client.raw('/quotes', {
        method: 'POST',
        headers: {
          authorization: basic(service.credentials),
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body,
      });
    const odd = await raw('{"a":{"toJSON":1,"b":123456789012345678901},"__proto__":{"toJSON":2}}');
    expect(odd.status).toBe(400);
  });

  it('is not used up by a token without the right', async () => {
    const key = randomUUID();
    const reader = await clientWith(service, ['VIEW']);
    expect((await quote(key, {}, reader)).status).toBe(403);
    const answer = await quote(key);
    expect([answer.status, replayed(answer)]).toEqual([201, null]);
  });

  it('ends at the platform', async () => {
    const key = randomUUID();
    const theirs = await payoutParties(second.client);
    const first = expectStatus(await quote(key), 201);
    const other = await keyed(second.client, key, '/quotes', bodyFor(theirs));
    expect([other.status, replayed(other)]).toEqual([201, null]);
    expect(other.body.id).not.toBe(first.id);
  });

  it('ends at the path', async () => {
    const own = await payoutParties(client);
    const key = randomUUID();
    const ids = [1, 2].map(async () => expectStatus(await client.post('/quotes', bodyFor(own)), 201).id);
    for (const id of await Promise.all(ids)) {
      const answer = await keyed(client, key, `/quotes/${id}/execute`);
      expect([answer.status, answer.body.id, replayed(answer)]).toEqual([200, id, null]);
    }
  });

  it('takes a path for the same however it is encoded', async () => {
    const own = await payoutParties(client);
    const { id } = expectStatus(await client.post('/quotes', bodyFor(own)), 201);
    const key = randomUUID();
    expectStatus(await keyed(client, key, `/quotes/${id}/execute`), 200);
    const again = await keyed(client, key, `/quotes/${encodeURIComponent(id)}/execute`);
    expect([again.status, replayed(again)]).toEqual([200, 'true']);
    const slashed = await keyed(client, key, `/quotes/${id}/execute/`);
    expect([slashed.status, replayed(slashed)]).toEqual([200, 'true']);
  });

  it('leaves out an operation that takes no key', async () => {
    const key = randomUUID();
    const ids = await together(2, async () => {
      const answer = await keyed(client, key, '/customers', { customerType: 'INDIVIDUAL' });
      return expectStatus(answer, 201).id;
    });
    expect(new Set(ids).size).toBe(2);
  });

  it('covers these operations only', () => {
    const taking = documented.filter(({ takesKey }) => takesKey).map(({ operationId }) => operationId);
    expect(taking.toSorted()).toEqual([
      'agentTransferIn',
      'agentTransferOut',
      'createAgentQuote',
      'createQuote',
      'executeAgentQuote',
      'executeQuote',
      'transferIn',
      'transferOut',
    ]);
  });

  it('ends after a day', async () => {
    const key = randomUUID();
    const first = expectStatus(await quote(key), 201);
    clock.advance(23 * 3_600_000);
    expect(expectStatus(await quote(key), 201)).toEqual(first);
    clock.advance(2 * 3_600_000);
    const fresh = await quote(key);
    expect([fresh.status, fresh.body.status, replayed(fresh)]).toEqual([201, 'PENDING', null]);
    expect(fresh.body.id).not.toBe(first.id);
  });
});
