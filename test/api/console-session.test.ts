import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { serveConsole } from '../../src/app/console-pages.ts';
import { listenOn } from '../../src/infrastructure/http/server.ts';
import { sessionsPerToken } from '../../src/use-cases/console/sessions.ts';
import { type SignedIn, signIn } from '../support/http/console.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { issueToken } from '../support/resources/tokens.ts';

const service = serviceOfTests({
  variables: { DAYBOOK_TRUSTED_PROXIES: '127.0.0.1', DAYBOOK_RATE_LIMIT_REDEEM: '10' },
});
const viewer = async (): Promise<SignedIn & { readonly tokenId: string }> => {
  const token = await issueToken(service.client, ['VIEW']);
  return { ...(await signIn(service, token)), tokenId: token.id };
};
const origin = () => new URL(service.url).origin;

describe('signing in at the console', () => {
  it('says who is signed in, and keeps it from scripts and other sites', async () => {
    const token = await issueToken(service.client, ['VIEW']);
    const { answer, cookie, get } = await signIn(service, token);
    const body = expectStatus(answer, 201);
    expect(body).toMatchObject({
      tokenId: token.id,
      permissions: ['VIEW'],
      environment: 'SANDBOX',
      platformName: 'daybook.test',
    });
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(11 * 3_600_000);
    const set = answer.headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^daybook_console=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/);
    expect(expectStatus(await get('/console/session'), 200)).toEqual(body);
    const kept = await query(service.databaseUrl, 'select * from daybook.console_sessions');
    expect(JSON.stringify(kept)).not.toContain(cookie.split('=')[1]);
  });

  it.each([
    ['a proxy that is trusted', { 'x-forwarded-proto': 'https' }],
    ['the browser', { origin: 'https://pay.example' }],
  ])('asks for https where the browser came by it, as %s says', async (_who, said) => {
    const token = await issueToken(service.client, ['VIEW']);
    const { answer } = await signIn(service, token, said);
    expect(answer.headers.get('set-cookie')).toContain('; Secure');
  });

  it('is refused for what is no token, and no window of the browser opens', async () => {
    const token = await issueToken(service.client, ['VIEW']);
    for (const credentials of [
      { ...token, clientSecret: 'wrong' },
      { ...token, clientId: 'nobody' },
    ]) {
      const { answer } = await signIn(service, credentials);
      expectProblem(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers.get('www-authenticate')).toBeNull();
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const { answer } = await signIn(service, { ...token, clientId: '' });
    expectProblem(answer, 400, 'INVALID_INPUT');
  });

  it('is refused to another site', async () => {
    const token = await issueToken(service.client, ['VIEW']);
    const { answer } = await signIn(service, token, { 'sec-fetch-site': 'cross-site' });
    expectProblem(answer, 403, 'FORBIDDEN');
  });

  it('is limited for whoever guesses', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) {
      const { answer } = await signIn(service, { clientId: 'nobody', clientSecret: `${n}` }, from);
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual([429, 429]);
  });

  it('is limited for nobody else, whatever else is sent', async () => {
    const from = { 'x-forwarded-for': '203.0.113.10', 'redemption-key': '0123456789abcdef' };
    for (let n = 0; n < 12; n++) {
      const { answer } = await signIn(service, { clientId: '', clientSecret: `${n}` }, from);
      expectProblem(answer, 400, 'INVALID_INPUT');
    }
    const token = await issueToken(service.client, ['VIEW']);
    expectStatus((await signIn(service, token, { 'x-forwarded-for': '203.0.113.11' })).answer, 201);
  });

  it('leaves room for a number of sessions of each token, of which the oldest give way', async () => {
    const ofAnother = await viewer();
    const token = await issueToken(service.client, ['VIEW']);
    const first = await signIn(service, token);
    await query(
      service.databaseUrl,
      `insert into daybook.console_sessions
       select sha256(n::text::bytea), token_id, token_mark, permissions, expires_at + n * interval '1 second'
       from daybook.console_sessions, generate_series(1, $2::int) n where token_id = $1`,
      [token.id, sessionsPerToken - 1],
    );
    await signIn(service, token);
    const rows = await query(
      service.databaseUrl,
      'select * from daybook.console_sessions where token_id = $1',
      [token.id],
    );
    expect(rows).toHaveLength(sessionsPerToken);
    expectProblem(await first.get('/console/session'), 401, 'UNAUTHORIZED');
    expectStatus(await ofAnother.get('/console/session'), 200);
  });
});

describe('a session of the console', () => {
  it('is the token at every operation, with its permissions and no others', async () => {
    const { get, post } = await viewer();
    expectStatus(await get('/customers'), 200);
    const body = { customerType: 'INDIVIDUAL', fullName: 'Ada Lovelace', region: 'US', currencies: ['USD'] };
    expectProblem(await post('/customers', body), 403, 'FORBIDDEN');
  });

  it('is nobody without the header of the console', async () => {
    const { cookie } = await viewer();
    for (const path of ['/customers', '/console/session'])
      for (const headers of [{}, { 'x-daybook-console': '0' }])
        expectProblem(
          await service.client.raw(path, { headers: { cookie, ...headers } }),
          401,
          'UNAUTHORIZED',
        );
  });

  it('is refused to another site, and taken from its own', async () => {
    const { get } = await viewer();
    for (const site of ['cross-site', 'same-site'])
      expectProblem(await get('/customers', { 'sec-fetch-site': site }), 403, 'FORBIDDEN');
    for (const site of ['same-origin', 'none'])
      expectStatus(await get('/customers', { 'sec-fetch-site': site }), 200);
  });

  it('gives way to credentials of the request', async () => {
    const { cookie } = await viewer();
    const headers = { cookie, 'x-daybook-console': '1', authorization: 'Basic bm9ib2R5Ong=' };
    expectProblem(await service.client.raw('/customers', { headers }), 401, 'UNAUTHORIZED');
  });

  it('ends when somebody signs out', async () => {
    const { get, raw } = await viewer();
    const answer = await raw('/console/session', { method: 'DELETE' });
    expectStatus(answer, 204);
    expect(answer.headers.get('set-cookie')).toContain('daybook_console=; ');
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
    expectProblem(await get('/customers'), 401, 'UNAUTHORIZED');
    expectProblem(await get('/console/session'), 401, 'UNAUTHORIZED');
    expectStatus(await raw('/console/session', { method: 'DELETE' }), 204);
  });

  it('goes on where its cookie comes without the header of the console', async () => {
    const { cookie, get } = await viewer();
    const init = { method: 'DELETE', headers: { cookie } };
    const answer = await service.client.raw('/console/session', init);
    expectProblem(answer, 401, 'UNAUTHORIZED');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expectStatus(await get('/customers'), 200);
    expectStatus(await service.client.raw('/console/session', { method: 'DELETE' }), 204);
  });

  const ends: [string, string][] = [
    ['its time is up', 'update daybook.console_sessions set expires_at = now() where token_id = $1'],
    [
      'the token gets another secret',
      `update daybook.api_tokens set secret_hash = sha256('another') where id = $1`,
    ],
    [
      'the token may less than it could',
      `update daybook.console_sessions set permissions = '{VIEW,TRANSACT}' where token_id = $1`,
    ],
  ];
  it.each(ends)('ends when %s', async (_when, sql) => {
    const { get, tokenId } = await viewer();
    expectStatus(await get('/customers'), 200);
    await query(service.databaseUrl, sql, [tokenId]);
    await expect.poll(async () => (await get('/customers')).status).toBe(401);
  });

  it('ends when the token is deleted', async () => {
    const { get, tokenId } = await viewer();
    expectStatus(await get('/customers'), 200);
    expectStatus(await service.client.delete(`/tokens/${tokenId}`), 204);
    await expect.poll(async () => (await get('/customers')).status).toBe(401);
  });

  it('is at /console too, beside the pages', async () => {
    const { cookie } = await viewer();
    const headers = { cookie, 'x-daybook-console': '1' };
    const answer = await fetch(`${origin()}/console/session`, { headers });
    expect(answer.status).toBe(200);
    const unknown = await fetch(`${origin()}/console/session`, { method: 'PUT', headers });
    expect(unknown.status).toBe(405);
    const other = await fetch(`${origin()}/console/nothing`, { method: 'POST', headers });
    expect(other.status).toBe(404);
    // Nothing else of the interface lies at the root.
    expect((await fetch(`${origin()}/customers`, { headers })).status).toBe(404);
  });
});

describe('the pages of the console', () => {
  const built = async (work: (at: string) => Promise<void>) => {
    const directory = await mkdtemp(join(tmpdir(), 'daybook-console-'));
    await mkdir(join(directory, 'assets'));
    const script = 'export const a = 1;';
    await writeFile(join(directory, 'index.html'), '<!doctype html><title>Daybook</title>');
    await writeFile(join(directory, 'assets/main-0a1b2c.js'), script);
    await writeFile(join(directory, 'assets/main-0a1b2c.js.br'), brotliCompressSync(script));
    const app = express();
    const operations = express.Router().get('/console/search', (_req, res) => void res.json({}));
    serveConsole(app, operations, pathToFileURL(`${directory}/`));
    const server = await listenOn(app, 0, '127.0.0.1');
    try {
      await work(server.origin);
    } finally {
      await server.close();
      await rm(directory, { recursive: true });
    }
  };

  it('are the same page at every path, under a strict policy', () =>
    built(async (at) => {
      for (const path of ['/console', '/console/', '/console/payments/Transaction:1', '/console/search']) {
        const answer = await fetch(at + path, { headers: { accept: 'text/html' } });
        expect(answer.status).toBe(200);
        expect(await answer.text()).toContain('<title>Daybook');
        expect(answer.headers.get('cache-control')).toBe('no-cache');
        expect(answer.headers.get('content-security-policy')).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        );
      }
      // What asks for data gets data.
      expect(await (await fetch(`${at}/console/search`)).json()).toEqual({});
    }));

  it('have files that are kept for ever, as they were compressed', () =>
    built(async (at) => {
      const file = `${at}/console/assets/main-0a1b2c.js`;
      const answer = await fetch(file, { headers: { 'accept-encoding': 'br' } });
      expect(answer.headers.get('content-encoding')).toBe('br');
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(await answer.text()).toContain('export');
      const plain = await fetch(file, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(await plain.text()).toBe('export const a = 1;');
      for (const none of ['other.js', '..%2findex.html', '%2e%2e/index.html', '.hidden']) {
        const missing = await fetch(`${at}/console/assets/${none}`);
        expect(missing.headers.get('cache-control')).not.toContain('immutable');
        expect(await missing.text()).not.toContain('export');
      }
    }));

  it('are said to be missing where nobody has built them', async () => {
    const app = express();
    serveConsole(app, (_req, _res, next) => next(), pathToFileURL(`${tmpdir()}/no-such-folder/`));
    const server = await listenOn(app, 0, '127.0.0.1');
    const answer = await fetch(`${server.origin}/console`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('not built');
    await server.close();
  });
});
