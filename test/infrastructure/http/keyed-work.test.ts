import { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Attempted } from '../../../src/infrastructure/http/once/idempotency.ts';
import type { Asked, Operation, Request } from '../../../src/infrastructure/http/operation.ts';
import { keyedWork } from '../../../src/infrastructure/http/work.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';

const operation: Operation = {
  operationId: 'pay',
  method: 'post',
  path: '/pay',
  tag: 'pay',
  summary: '',
  permission: [],
  responses: {},
  errors: {},
};
const attempted: Attempted = { scope: 'scope', key: { scope: 'scope', since: '2026-01-01T00:00:00.000Z' } };

/** A request with a key whose work writes down what happens; each look finds what `finds` gives. */
function requestThat(finds: (asked: Asked) => Promise<unknown>) {
  const happened: string[] = [];
  const shown = Promise.withResolvers<boolean>();
  const res = Object.assign(new ServerResponse({ method: 'POST' } as never), { locals: { requestId: 'r' } });
  const route = {
    operation,
    load: async (asked: Asked) => {
      happened.push('look');
      return finds(asked);
    },
    handle: async ({ cause, requestedBy }: Request, loaded: unknown) => {
      happened.push(`do ${String(loaded)} as ${requestedBy}`);
      cause.seen?.(7n);
      return { status: 201, body: {} };
    },
  };
  const served = {
    route,
    req: { query: {}, params: {}, headers: { 'content-length': '0' }, get: () => undefined },
    res,
    caller: { platformId: 'p', actor: 'a' },
  };
  const deps = {
    gate: { requirePermission: () => undefined, refusesUnread: async () => false },
    ids: { uuid: () => 'uuid' },
    projected: async (position: bigint) => {
      happened.push(`wait for ${position}`);
      return shown.promise;
    },
    hasLost: () => false,
  };
  const work = keyedWork(served as never, deps as never);
  return { work, happened, shown: () => shown.resolve(true) };
}

describe('the work of a request with a key', () => {
  it('begins with what the request is about, before the key is known', async () => {
    const { work, happened } = requestThat(async () => 'found');
    await new Promise(setImmediate);
    expect(happened).toEqual(['look']);
    await work.run(attempted, false);
    expect(happened).toEqual(['look', 'do found as scope', 'wait for 7']);
  });

  it('is done before the read models show it, and may be kept meanwhile', async () => {
    const { work, shown } = requestThat(async () => 'found');
    expect(await work.run(attempted, false)).toMatchObject({ status: 201 });
    const isShown = work.shown().then(() => 'shown');
    expect(await Promise.race([isShown, new Promise((go) => setImmediate(go, 'not yet'))])).toBe('not yet');
    shown();
    expect(await isShown).toBe('shown');
  });

  it('looks anew where something may have been done under the key', async () => {
    let looks = 0;
    const { work, happened } = requestThat(async () => (looks += 1));
    await work.run(attempted, true);
    expect(happened).toEqual(['look', 'look', 'do 2 as scope', 'wait for 7']);
  });

  it('is refused by what was found only where it is to be done', async () => {
    const missing = new Rejected('REFERENCE_NOT_FOUND', 'There is no such account.');
    const { work, happened } = requestThat(async () => Promise.reject(missing));
    await new Promise(setImmediate);
    await work.shown();
    await expect(work.run(attempted, false)).rejects.toBe(missing);
    expect(happened).toEqual(['look']);
  });
});
