import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { quoteParties, toAddress } from '../support/resources/payments.ts';

const service = serviceOfTests();
const { client } = service;

/** As long as a body may be. */
const very = 500_000;
const since = '2026-01-01T00:00:00Z';
const sizeOf = (answer: { readonly body: unknown }) => JSON.stringify(answer.body).length;

describe('a list beyond its bound', () => {
  it.each([
    ['/webhooks/redeliver', (types: string[]) => ({ since, types }), 'types'],
    ['/tokens', (permissions: string[]) => ({ name: 'x', permissions }), 'permissions'],
    ['/customers', (currencies: string[]) => ({ customerType: 'INDIVIDUAL', currencies }), 'currencies'],
  ])('is named once by %s, whatever it holds', async (path, bodyOf, field) => {
    const problem = expectProblem(
      await client.post(path, bodyOf(Array(2_000).fill('x'))),
      400,
      'INVALID_INPUT',
    );
    expect(namedFields(problem)).toEqual([field]);
  });

  it.each(['/webhooks/redeliver', '/tokens', '/agents', '/config'])(
    'is not even read where it fills the body: %s',
    async (path) => {
      const method = path === '/config' ? 'PATCH' : 'POST';
      const text = `{"types":[${Array(very).fill('1').join(',')}]}`;
      const answer = await send(service, method, path, { text: Buffer.from(text) });
      expectProblem(answer, 400, 'INVALID_REQUEST_FORMAT');
      expect(sizeOf(answer)).toBeLessThan(500);
    },
  );
});

describe('very many bad fields', () => {
  it('are answered with the first 50 and the number of the others', async () => {
    const rule = { accountId: 'x', executionMode: 'x', perTransactionLimit: 'x' };
    const policy = {
      permissions: [],
      spendingLimits: { currency: 'USD', perTransactionLimit: 1 },
      accountRestrictions: { accountRules: Array(1_000).fill(rule) },
    };
    const answer = await client.post('/agents', { name: 'a', customerId: 'x', policy });
    const { errors, more } = expectProblem(answer, 400, 'INVALID_INPUT').details as Json;
    expect([errors.length, more]).toEqual([50, 2_951]);
    expect(sizeOf(answer)).toBeLessThan(50_000);
  });
});

describe('what is said of a customer', () => {
  const about = (entries: number) =>
    Object.fromEntries(Array.from({ length: entries }, (_, n) => [`FIELD_${n}`, 'x'.repeat(1_000)]));

  it('has at most 50 entries in a quote', async () => {
    const parties = await quoteParties(client);
    const body = await toAddress(client, parties, '$success.usd@sandbox.daybook.test');
    const known = { FULL_NAME: 'Ada', BIRTH_DATE: '1990-01-01', NATIONALITY: 'GB' };
    const asking = (entries: number) =>
      client.post('/quotes', { ...body, senderCustomerInfo: { ...about(entries - 3), ...known } });
    expect(namedFields(expectProblem(await asking(51), 400, 'INVALID_INPUT'))).toEqual([
      'senderCustomerInfo',
    ]);
    expectStatus(await asking(50), 201);
  });

  it('has at most 50 entries in an approval', async () => {
    const answer = await client.post(
      '/transactions/Transaction:00000000-0000-0000-0000-000000000000/approve',
      {
        receiverCustomerInfo: about(51),
      },
    );
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['receiverCustomerInfo']);
  });
});
