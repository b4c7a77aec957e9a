import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Operation, type Route, route } from '../../../src/api/operation.ts';
import { buildApp } from '../../../src/app/http.ts';
import { basePath } from '../../../src/app/interface/address.ts';
import { createMetrics } from '../../../src/app/metrics.ts';
import { WrongRevision } from '../../../src/infrastructure/event-store/event-store.ts';
import { createRoom } from '../../../src/infrastructure/http/doors/room.ts';
import type { Kept } from '../../../src/infrastructure/http/once/keys-table.ts';
import type { Answer } from '../../../src/infrastructure/http/operation.ts';
import { createPressure } from '../../../src/infrastructure/http/pressure.ts';
import { type HttpServer, listenOn } from '../../../src/infrastructure/http/server.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { hashSecret } from '../../../src/infrastructure/secrets/hash.ts';
import { idOf, systemIds } from '../../../src/kernel/ids.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { basic, clientOf } from '../../support/http/client.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const noLimit = { check: async () => {}, count: async () => {} };

const credentials = { clientId: 'ada', clientSecret: 'a secret of ada' };
const thing = z.object({ id: z.string(), at: z.iso.datetime(), parts: z.array(z.object({ n: z.int() })) });
const right = { id: '1', at: '2026-11-02T09:00:00.000Z', parts: [{ n: 1 }] };

const declared = {
  operationId: 'makeThing',
  method: 'post',
  path: '/things',
  tag: 'Things',
  summary: 'Make a thing',
  permission: ['VIEW'],
  idempotent: true,
  body: z.object({ name: z.string() }),
  responses: { 200: { description: 'It.', schema: thing }, 204: { description: 'Nothing.' } },
  errors: {
    400: ['INVALID_INPUT'],
    401: ['UNAUTHORIZED'],
    404: ['TOKEN_NOT_FOUND'],
    500: ['INTERNAL_ERROR'],
  },
} as const satisfies Operation;
const { 401: _none, ...errorsWithout401 } = declared.errors;
const closed = { ...declared, operationId: 'closedThing', path: '/closed', errors: errorsWithout401 };

/** What the operation does, set by each test. */
let work: () => Answer = () => ({ status: 204 });
const keptAnswers = new Map<string, Kept>();
const servers: HttpServer[] = [];

async function start(checkResponses: boolean): Promise<string> {
  const principal = {
    platformId: idOf('Platform', uuidNumber(1)),
    environment: 'sandbox',
    permissions: ['VIEW'],
    actor: 'test',
  } as const;
  const routes: Route[] = [declared, closed].map((operation) => route(operation, async () => work()));
  const app = buildApp({
    environment: 'sandbox',
    routes,
    trustedProxies: [],
    checkResponses,
    ids: systemIds,
    inTimeOf: (_platformId, work) => work(),
    log: createLog('silent'),
    metrics: createMetrics(),
    metricsApart: false,
    receiveForRail: undefined,
    receiveForScreening: undefined,
    admin: undefined,
    noteRequest: () => undefined,
    installationNow: () => new Date(),
    degraded: () => [],
    findToken: async () => ({ secretHash: hashSecret(credentials.clientSecret), principal }),
    used: () => undefined,
    findAgent: async () => undefined,
    consoleSessions: { find: async () => undefined },
    rateLimits: async () => {},
    guesses: { strangers: noLimit, platforms: noLimit },
    countList: () => undefined,
    requireWhole: () => undefined,
    staying: () => () => undefined,
    environmentOf: () => 'sandbox',
    isStrict: async () => false,
    refusesUnknownFields: async () => false,
    uploads: { begin: async () => 'nowhere', append: async () => {}, discard: async () => {} },
    idempotency: {
      isUnderWay: () => false,
      begin: async (scope) =>
        keptAnswers.get(scope) ?? {
          attempted: { scope, key: { scope, since: 'now' } },
          fingerprint: undefined,
          latest: 0,
          isRepeat: false,
          othersForSeconds: undefined,
          hasWaited: false,
          keep: async (answer) => {
            const kept = { ...answer, fingerprint: undefined };
            keptAnswers.set(scope, kept);
            return kept;
          },
          leave: async () => void keptAnswers.delete(scope),
          forget: async () => void keptAnswers.delete(scope),
        },
      forgetOld: async () => {},
    },
    projected: async () => true,
    hasLost: () => false,
    restored: async () => true,
    lastPosition: async () => 0n,
    pressure: createPressure(() => 0),
    requestMaxMs: 60_000,
    repeatedWithOtherBody: () => {},
    room: createRoom(),
    readiness: async () => ({ ready: true, notReady: [], followers: [] }),
  });
  const server = await listenOn(app, 0, '127.0.0.1');
  servers.push(server);
  return `${server.origin}${basePath}`;
}

let strict: string;
let lenient: string;
beforeAll(async () => {
  [strict, lenient] = await Promise.all([start(true), start(false)]);
});
afterAll(async () => {
  for (const server of servers) await server.close();
});

const refuse = (error: unknown) => () => {
  throw error;
};
const ask = (url: string, does: () => Answer, headers = {}) => {
  work = does;
  return clientOf(url, credentials).post('/things', { name: 'it' }, headers);
};

type Row = [what: string, does: () => Answer, status: number, fault: string];
const undeclared: Row[] = [
  ['a stray field', () => ({ status: 200, body: { ...right, more: 1 } }), 200, 'undeclared fields'],
  [
    'a stray field inside',
    () => ({ status: 200, body: { ...right, parts: [{ n: 1, m: 2 }] } }),
    200,
    'undeclared fields',
  ],
  ['a missing field', () => ({ status: 200, body: { id: '1', parts: [] } }), 200, 'at'],
  ['a missing field inside', () => ({ status: 200, body: { ...right, parts: [{}] } }), 200, 'parts'],
  ['a field of another type', () => ({ status: 200, body: { ...right, at: new Date(0) } }), 200, 'at'],
  ['null for what is absent', () => ({ status: 200, body: { ...right, id: null } }), 200, 'id'],
  ['another text', () => ({ status: 200, body: right, text: '{"id":"2"}' }), 200, 'another text'],
  ['no body', () => ({ status: 200 }), 200, 'wrong kind of body'],
  ['a body where none is', () => ({ status: 204, body: right }), 204, 'wrong kind of body'],
  ['another success', () => ({ status: 201, body: right }), 201, 'answered 201'],
  ['another status', refuse(new Rejected('FORBIDDEN', 'no')), 403, 'answered 403'],
  ['another code', refuse(new Rejected('INVALID_CURRENCY', 'no')), 400, 'answered 400 INVALID_CURRENCY'],
  ['a lost race', refuse(new WrongRevision('thing', 1, 2)), 409, 'answered 409'],
  ['an error without its form', () => ({ status: 404, body: { code: 'TOKEN_NOT_FOUND' } }), 404, 'message'],
  [
    'an error with a stray field',
    () => ({ status: 404, body: { status: 404, code: 'TOKEN_NOT_FOUND', message: 'no', more: 1 } }),
    404,
    'undeclared fields',
  ],
  [
    'an error of another status',
    () => ({ status: 404, body: { status: 400, code: 'TOKEN_NOT_FOUND', message: 'no' } }),
    404,
    'says 400',
  ],
];

describe.each<[string, object]>([
  ['without a key', {}],
  ['with a key', { 'idempotency-key': 'once' }],
])('an answer %s', (_how, headers) => {
  it.each(undeclared)('is a fault with %s where answers are checked', async (_what, does, status, fault) => {
    keptAnswers.clear();
    const { body, ...answer } = await ask(strict, does, headers);
    expect([answer.status, body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(body.message).toContain('makeThing');
    expect(body.message).toContain(fault);
    expect(keptAnswers.size).toBe(0);
    expect((await ask(lenient, does, headers)).status).toBe(status);
  });

  it.each<[string, () => Answer, number]>([
    ['success', () => ({ status: 200, body: right }), 200],
    ['nothing', () => ({ status: 204 }), 204],
    ['absent fields that are undefined', () => ({ status: 200, body: { ...right, more: undefined } }), 200],
    ['error', refuse(new Rejected('TOKEN_NOT_FOUND', 'no', { why: 1 })), 404],
    ['fault of the service', refuse(new Error('broken')), 500],
  ])('passes when it is the declared %s', async (_what, does, status) => {
    keptAnswers.clear();
    expect((await ask(strict, does, headers)).status).toBe(status);
    expect((await ask(lenient, does, headers)).status).toBe(status);
  });
});

describe('what is refused before the operation runs', () => {
  const send = (path: string, body: string, headers: Record<string, string> = {}) => {
    const authorization = basic(credentials);
    const sent = { authorization, 'content-type': 'application/json', ...headers };
    return clientOf(strict, credentials).raw(path, { method: 'POST', body, headers: sent });
  };

  it('may be the credentials, whose answer is checked too', async () => {
    expect((await send('/things', '{}', { authorization: '' })).status).toBe(401);
    const { status, body } = await send('/closed', '{}', { authorization: '' });
    expect([status, body.message]).toEqual([500, 'closedThing answered 401, which it does not declare']);
  });

  it.each<[string, string, number]>([
    ['syntax', '{}', 400],
    ['unreadable', '{', 400],
    ['too long', `"${'x'.repeat(1_100_000)}"`, 413],
  ])('may be the body, wherever an operation takes one: %s', async (_what, body, status) => {
    expect((await send('/things', body)).status).toBe(status);
  });

  it('may be the key', async () => {
    const answer = await send('/things', '{"name":"it"}', { 'idempotency-key': 'x'.repeat(256) });
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_INPUT']);
  });
});
