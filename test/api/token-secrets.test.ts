import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../src/app/service.ts';
import { hashSecret } from '../../src/infrastructure/secrets/hash.ts';
import { clientOf, type Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { newCredentials, serviceOfTests, testConfig } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { clientFor, issueToken, untilForgotten } from '../support/resources/tokens.ts';

const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const service = serviceOfTests({ log });
const beside = besideOfTests(service);

const tables = ['api_tokens', 'idempotency_keys', 'webhook_events'];
const everythingStored = async (url: string): Promise<string> => {
  const texts = [...tables.map((name) => `daybook.${name}`), 'daybook_log.events'].map((table) =>
    query<{ text: string }>(url, `select row_to_json(t)::text as text from ${table} t`),
  );
  return (await Promise.all(texts))
    .flat()
    .map(({ text }) => text)
    .join('\n');
};

/** The ways in which a secret or its hash could be written. */
const writingsOf = (secret: string): string[] => {
  const hash = hashSecret(secret);
  return [secret, ...(['hex', 'base64', 'base64url'] as const).map((encoding) => hash.toString(encoding))];
};
const shownIn = (text: string, secret: string) => writingsOf(secret).filter((one) => text.includes(one));

describe('the secret of a token', () => {
  it('leaves no trace but its hash', async () => {
    const { client, url, databaseUrl } = service;
    const { clientSecret, ...token } = await issueToken(client);
    const issued = clientFor(url, { ...token, clientSecret });
    const { id, clientId } = token;
    const body = { name: clientSecret, permissions: ['NONE', clientSecret] };
    const answers = [
      await issued.get('/tokens'),
      await issued.get(`/tokens/${id}`),
      await issued.delete(`/tokens/${id}`),
      await clientOf(url, { clientId: clientSecret, clientSecret: 'x' }).get('/tokens'),
      await clientOf(url, { clientId, clientSecret: `${clientSecret}x` }).get('/tokens'),
      await issued.raw('/tokens', { headers: { authorization: `Bearer ${clientSecret}` } }),
      await issued.post('/tokens', { ...body, name: 'x' }),
      await client.delete(`/tokens/${id}`),
      await client.get(`/tokens/${id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 401, 401, 401, 400, 204, 404]);
    expect(shownIn(JSON.stringify(answers.map((answer) => answer.body)), clientSecret)).toEqual([]);
    expect(lines.length).toBeGreaterThanOrEqual(answers.length);
    expect(shownIn(lines.join('\n'), clientSecret)).toEqual([]);
    const stored = await everythingStored(databaseUrl);
    expect(shownIn(stored, clientSecret)).toEqual([hashSecret(clientSecret).toString('hex')]);
  });
});

describe('tokens that delete each other at the same moment', () => {
  const livingOf = async (tokens: readonly Json[]): Promise<Json[]> => {
    const ids = await idsIn(service.client, '/tokens');
    return tokens.filter(({ id }) => ids.includes(id));
  };
  const through = (token: Json, n: number) => clientFor((n % 2 ? beside : service).url, token);

  it.each([1, 2, 3, 4, 5])('leave one of two, round %d', async () => {
    const tokens = [await issueToken(service.client), await issueToken(service.client)];
    for (const [n, token] of tokens.entries()) expectStatus(await through(token, n).get('/config'), 200);
    const answers = await together(2, (n) => through(tokens[n], n).delete(`/tokens/${tokens[1 - n].id}`));
    expect(countByStatus(answers)).toEqual({ 204: 1, 401: 1 });
    const living = await livingOf(tokens);
    expect(living).toHaveLength(1);
    expectStatus(await clientFor(service.url, living[0]).get('/config'), 200);
  });

  it('leave one at least of a ring of eight', async () => {
    const tokens: Json[] = [];
    for (let n = 0; n < 8; n++) tokens.push(await issueToken(service.client));
    const answers = await together(8, (n) =>
      through(tokens[n], n).delete(`/tokens/${tokens[(n + 1) % 8].id}`),
    );
    const { 204: deleted = 0, ...others } = countByStatus(answers);
    expect(Object.keys(others)).toEqual(['401']);
    const living = await livingOf(tokens);
    expect(living).toHaveLength(8 - deleted);
    expect(living.length).toBeGreaterThan(0);
  });

  it('delete a third one once', async () => {
    const tokens = [await issueToken(service.client), await issueToken(service.client)];
    const { id } = await issueToken(service.client);
    const answers = await together(10, (n) => through(tokens[n % 2], n).delete(`/tokens/${id}`));
    expect(countByStatus(answers)).toEqual({ 204: 1, 404: 9 });
  });
});

describe('the first token, deleted', () => {
  const running: Service[] = [];
  afterAll(async () => {
    for (const one of running) await one.stop();
  });
  const first = newCredentials();
  const start = async (credentials = first) => {
    const config = testConfig(service.databaseUrl, credentials, { DAYBOOK_ROLES: 'api' });
    const started = await startService(config, { checkResponses: true });
    running.push(started);
    return clientOf(started.url ?? '', credentials);
  };

  it('stays so at the next start, and comes back with another secret', async () => {
    // Its platform's records have no projector of their own to wait for.
    const client = await start();
    const heir = clientFor(service.url, await issueToken(client));
    const [id] = await idsIn(client, '/tokens', { name: 'First token' });
    expectStatus(await heir.delete(`/tokens/${id}`), 204);
    await untilForgotten();
    expectProblem(await (await start()).get('/config'), 401, 'UNAUTHORIZED');
    const renewed = await start({ ...first, clientSecret: newCredentials().clientSecret });
    expect(expectStatus(await renewed.get('/tokens', { name: 'First token' }), 200).data[0].id).toBe(id);
    expectProblem(await client.get('/config'), 401, 'UNAUTHORIZED');
  });
});
