/** Redeeming a device code: by guessing, over and over, and after an answer that was lost. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, agentClientOf, type Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests, startTestService, whileTesting } from '../support/processes/service.ts';
import { createAgent, redeem } from '../support/resources/agents.ts';
import { createCustomer, expectStatus } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;
const beside = besideOfTests(service, { clock });
let customer: Json;
beforeAll(async () => {
  customer = await createCustomer(client);
});

const newCode = async (by = client, of = customer): Promise<string> =>
  (await createAgent(by, of.id)).deviceCode.code;

const keyed = (key: string) => ({ 'redemption-key': key.padEnd(16, '.') });

describe('a redemption whose answer was lost', () => {
  it('gives the same token to the same key, through any process', async () => {
    const code = await newCode();
    const first = expectStatus(await redeem(client, code, keyed('one of my own')), 200);
    expect(expectStatus(await redeem(beside.client, code, keyed('one of my own')), 200)).toEqual(first);
    expectStatus(await agentClientOf(client, first.accessToken).get('/agents/me'), 200);
  });

  it.each([
    ['another key', keyed('of somebody else')],
    ['no key', {}],
  ])('gives nothing to %s', async (_what, headers) => {
    const code = await newCode();
    expectStatus(await redeem(client, code, keyed('one of my own')), 200);
    const problem = expectProblem(await redeem(client, code, headers), 400, 'INVALID_INPUT');
    expect(problem.details.reason).toBe('REDEEMED');
  });

  it('gives nothing more after a minute', async () => {
    const code = await newCode();
    expectStatus(await redeem(client, code, keyed('k')), 200);
    clock.advance(60_000);
    expectProblem(await redeem(client, code, keyed('k')), 400, 'INVALID_INPUT');
  });

  it('gives nothing for a code that another one has voided', async () => {
    const { agent, deviceCode } = await createAgent(client, customer.id);
    const later = expectStatus(await client.post(`/agents/${agent.id}/device-codes`), 201);
    expectStatus(await redeem(client, later.code, keyed('k')), 200);
    const problem = expectProblem(await redeem(client, deviceCode.code, keyed('k')), 400, 'INVALID_INPUT');
    expect(problem.details.reason).toBe('VOIDED');
  });

  it('gives nothing for an agent that was deleted', async () => {
    const { agent, deviceCode } = await createAgent(client, customer.id);
    expectStatus(await redeem(client, deviceCode.code, keyed('k')), 200);
    expectStatus(await client.delete(`/agents/${agent.id}`), 204);
    expectProblem(await redeem(client, deviceCode.code, keyed('k')), 404, 'REFERENCE_NOT_FOUND');
  });

  it('has one token for 50 attempts with one key, over two processes', async () => {
    const code = await newCode();
    const through = [client, beside.client];
    const answers = await together(50, (n) => redeem(through[n % 2] ?? client, code, keyed('k')));
    expect(countByStatus(answers)).toEqual({ 200: 50 });
    expect(new Set(answers.map(({ body }) => body.accessToken)).size).toBe(1);
  });

  it('has one winner among 50 keys', async () => {
    const code = await newCode();
    const answers = await together(50, (n) => redeem(client, code, keyed(`key ${n}`)));
    expect(countByStatus(answers)).toEqual({ 200: 1, 400: 49 });
  });

  it.each([0, 15, 256])('refuses a key of %i characters', async (length) => {
    const headers = { 'redemption-key': 'k'.repeat(length) };
    expectProblem(await redeem(client, await newCode(), headers), 400, 'INVALID_INPUT');
  });
});

describe('what is kept of a device code', () => {
  const everything = async (table: string): Promise<string> =>
    JSON.stringify(await query(service.databaseUrl, `select t::text from daybook.${table} t`));

  it('is neither the code nor its plain hash, and of its token neither', async () => {
    const code = await newCode();
    const { accessToken } = expectStatus(await redeem(client, code, keyed('k')), 200);
    const kept = (await Promise.all(['agent_device_codes', 'agent_redemptions'].map(everything))).join();
    const plain = createHash('sha256').update(code).digest('hex');
    for (const secret of [code, plain, accessToken, Buffer.from(accessToken).toString('hex')])
      expect(kept).not.toContain(secret);
  });
});

describe('a device code that was issued under the former master key', () => {
  it('is redeemed under the next one', async () => {
    const { credentials, databaseUrl } = service;
    const former = Buffer.alloc(32, 7).toString('base64');
    const next = await startTestService({
      databaseUrl,
      variables: {
        DAYBOOK_ROLES: 'api',
        DAYBOOK_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'),
        DAYBOOK_MASTER_KEY_PREVIOUS: former,
      },
    });
    const code = await newCode();
    expectStatus(await redeem(next.client, code), 200);
    expect(credentials.clientId).not.toBe(next.credentials.clientId);
    await next.stop();
  });
});

const proxied = whileTesting(() =>
  startTestService({
    variables: { DAYBOOK_RATE_LIMIT_REDEEM: '10', DAYBOOK_TRUSTED_PROXIES: '127.0.0.1, ::1' },
  }),
);
const guess = (n: number) =>
  `SVC-AGENT-AAAA-${'ABCDEFGHJKLMNPQR'[n % 16]}${'ABCDEFGHJKLMNPQR'[n >> 4] ?? 'A'}AA`;
const from = (address: string) => ({ 'x-forwarded-for': address });

/** One after the other: what is under way at the same moment is counted when it ends. */
async function inTurn(n: number, work: (index: number) => Promise<Answer>): Promise<Record<string, number>> {
  const answers: Answer[] = [];
  for (let index = 0; index < n; index++) answers.push(await work(index));
  return countByStatus(answers);
}

describe('guessing device codes', () => {
  it('is over after ten in a minute from one network, for right codes too', async () => {
    const code = await newCode(proxied.client, await createCustomer(proxied.client));
    const network = (n: number) => from(`2001:db8:0:1::${n.toString(16)}`);
    const guesses = await inTurn(15, (n) => redeem(proxied.client, guess(n), network(n)));
    expect(guesses).toEqual({ 404: 10, 429: 5 });
    const limited = await redeem(proxied.client, code, network(1));
    expectProblem(limited, 429, 'RATE_LIMITED');
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
    expectStatus(await redeem(proxied.client, code, from('198.51.100.1')), 200);
  });

  it('is over in a burst as soon as the burst has ended', async () => {
    const burst = from('198.51.100.2');
    await together(40, (n) => redeem(proxied.client, guess(n), burst));
    expect(await inTurn(5, (n) => redeem(proxied.client, guess(n), burst))).toEqual({ 429: 5 });
  });

  it('does not begin anew by claiming another address, where no proxy is trusted', async () => {
    const bare = await startTestService({ variables: { DAYBOOK_RATE_LIMIT_REDEEM: '10' } });
    const guesses = await inTurn(15, (n) => redeem(bare.client, guess(n), from(`198.51.100.${n}`)));
    expect(guesses).toEqual({ 404: 10, 429: 5 });
    await bare.stop();
  });

  it('is over after ten wrong keys for one code, from wherever', async () => {
    const code = await newCode(proxied.client, await createCustomer(proxied.client));
    expectStatus(await redeem(proxied.client, code, keyed('one of my own')), 200);
    const guesses = await inTurn(15, (n) =>
      redeem(proxied.client, code, { ...keyed(`key ${n}`), ...from(`198.51.100.${n + 10}`) }),
    );
    expect(guesses).toEqual({ 400: 10, 429: 5 });
  });

  it('is not what many do who redeem codes of their own', async () => {
    const customer = await createCustomer(proxied.client);
    const codes = await together(20, () => newCode(proxied.client, customer));
    const home = from('198.51.100.3');
    expect(await inTurn(20, (n) => redeem(proxied.client, codes[n] ?? '', home))).toEqual({ 200: 20 });
    const again = await together(50, () => redeem(proxied.client, codes[0] ?? '', home));
    expect(countByStatus(again)).toEqual({ 400: 50 });
  });
});
