import { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { serve } from '../../../../src/infrastructure/http/serve.ts';
import { systemIds } from '../../../../src/kernel/ids.ts';
import { paying } from './paying.ts';

const operation = { ...paying, idempotent: true };

/** A request whose key has an answer, and whose look at what it is about comes to its end when the test says so. */
function repeat(requestMaxMs: number) {
  const looked = Promise.withResolvers<void>();
  let isLeft = false;
  const leave = () => {
    isLeft = true;
  };
  const caller = { platformId: 'p', actor: 'a' };
  const deps = {
    ids: systemIds,
    gate: {
      identify: async () => caller,
      count: async () => undefined,
      requirePermission: () => undefined,
      admit: () => undefined,
      keyHolder: () => 'p',
      tenantOf: () => 'p',
      staying: () => () => undefined,
    },
    idempotency: {
      isUnderWay: () => false,
      begin: async () => ({ status: 409, body: '{"code":"CONFLICT"}', fingerprint: undefined }),
    },
    pressure: {
      enter: () => leave,
      inTurn: async (_tenant: string, work: () => Promise<void>) => work(),
    },
    inTimeOf: (_platformId: string, work: () => unknown) => work(),
    hasLost: () => false,
    requestMaxMs,
  };
  const req = {
    method: 'POST',
    path: '/pay',
    query: {},
    params: {},
    headers: { 'content-length': '0' },
    get: (name: string) => (name === 'idempotency-key' ? 'once' : undefined),
  };
  const answered = Promise.withResolvers<void>();
  const res = Object.assign(new ServerResponse({ method: 'POST' } as never), {
    locals: { requestId: 'r' },
    end: () => answered.resolve(),
  });
  const route = { operation, load: () => looked.promise, handle: async () => ({ status: 201 }) };
  const served = serve(route, deps as never)(req as never, res as never);
  return { res, answered: answered.promise, served, isLeft: () => isLeft, looked: looked.resolve };
}

it('a repeat is answered before what it is about is found, and has its place until then', async () => {
  const { res, answered, served, isLeft, looked } = repeat(60_000);
  await answered;
  await new Promise(setImmediate);
  expect([res.statusCode, isLeft()]).toEqual([409, false]);
  looked();
  await served;
  expect(isLeft()).toBe(true);
});

it('a repeat whose look does not come to its end has its place as long as a request may take', async () => {
  const { res, served, isLeft } = repeat(5);
  await served;
  expect([res.statusCode, isLeft()]).toEqual([409, true]);
});
