import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests, startTestService, whileTesting } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { clientFor, issueToken } from '../support/resources/tokens.ts';
import { newClientKey } from '../support/wallets/wallet-client.ts';
import { addEmail, createWallet, verify } from '../support/wallets/wallets.ts';

const clientPublicKey = newClientKey().publicKey;
const usual = { DAYBOOK_RATE_LIMIT_CHALLENGE: '5', DAYBOOK_RATE_LIMIT_VERIFY: '10' };

const service = serviceOfTests({ variables: usual });
const { client } = service;
const beside = whileTesting(() => startTestService({ variables: usual, databaseUrl: service.databaseUrl }));

const newCredential = async () => addEmail(client, await createWallet(client));
const challenge = (id: string, by = client) => by.post(`/auth/credentials/${id}/challenge`);
const guess = (id: string) => verify(client, id, { otp: '123456', clientPublicKey });

function expectLimited(answer: Answer): void {
  const { details } = expectProblem(answer, 429, 'RATE_LIMITED');
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(details.retryAfterSeconds).toBe(seconds);
}

describe('a credential', () => {
  it('is challenged five times a minute', async () => {
    const { id } = await newCredential();
    for (let n = 0; n < 5; n++) expectStatus(await challenge(id), 200);
    expectLimited(await challenge(id));
    expectStatus(await challenge((await newCredential()).id), 200);
  });

  it('is verified ten times a minute, whatever the outcome', async () => {
    const { id } = await newCredential();
    for (let n = 0; n < 10; n++) expectProblem(await guess(id), 401, 'UNAUTHORIZED');
    expectLimited(await guess(id));
    expectLimited(await verify(client, id, { nonsense: true }));
  });

  it('is limited however many come at once', async () => {
    const { id } = await newCredential();
    expect(countByStatus(await together(40, () => challenge(id)))).toEqual({ 200: 5, 429: 35 });
  });

  it('is limited over all processes together', async () => {
    const { id } = await newCredential();
    const other = beside.url;
    const elsewhere = (path: string, init: RequestInit) => fetch(`${other}${path}`, init);
    const { credentials } = service;
    const authorization = `Basic ${Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64')}`;
    for (let n = 0; n < 5; n++) expectStatus(await challenge(id), 200);
    const answer = await elsewhere(`/auth/credentials/${id}/challenge`, {
      method: 'POST',
      headers: { authorization },
    });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('is not counted for another platform', async () => {
    const { id } = await newCredential();
    for (let n = 0; n < 5; n++) expectProblem(await challenge(id, beside.client), 404);
    expectLimited(await challenge(id, beside.client));
    expectStatus(await challenge(id), 200);
  });
});

describe('a limit for lists', () => {
  it('counts the lists of each token, and nothing else', async () => {
    const limited = await startTestService({ variables: { DAYBOOK_RATE_LIMIT_LISTS: '3' } });
    try {
      const other = clientFor(limited.url, await issueToken(limited.client));
      for (const path of ['/customers', '/transactions', '/tokens'])
        expectStatus(await limited.client.get(path), 200);
      expectLimited(await limited.client.get('/customers'));
      expectStatus(await limited.client.get('/config'), 200);
      expectStatus(await other.get('/customers'), 200);
    } finally {
      await limited.stop();
    }
  });
});

describe('a limit for each token', () => {
  it('keeps nothing of what it refuses', async () => {
    const limited = await startTestService({ variables: { DAYBOOK_RATE_LIMIT_TOKEN: '3' } });
    try {
      for (let n = 0; n < 3; n++) expectStatus(await limited.client.get('/config'), 200);
      expectLimited(await limited.client.get('/config'));
      const keyed = { 'idempotency-key': 'k' };
      expectLimited(await limited.client.post('/quotes', {}, keyed));
    } finally {
      await limited.stop();
    }
  });
});
