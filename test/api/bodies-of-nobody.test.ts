/** Bodies of operations that ask for no credentials are short; what is signed may be as long as any. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/app/interface/operations.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { fickleRail } from '../support/traffic/mixed-traffic.ts';

const kibibyte = 1_024;
const json = { 'content-type': 'application/json' };
const heard: number[] = [];
const service = serviceOfTests({
  rail: async () => ({
    ...fickleRail,
    receive: async ({ body }) => {
      heard.push(body.length);
      return 204;
    },
  }),
});

/** A body that would be refused with 401, in so many bytes. */
const signIn = (bytes: number): Uint8Array => {
  const body = JSON.stringify({ clientId: 'nobody', clientSecret: 'wrong' });
  return Buffer.from(body.padEnd(bytes));
};

const post = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  service.client.raw('/console/session', {
    method: 'POST',
    headers: { ...json, ...headers },
    body: new Uint8Array(body),
  });

describe('a body without credentials', () => {
  it('is taken by one operation', () => {
    const open = operations.filter(({ authentication, body }) => authentication === 'none' && body);
    expect(open.map(({ operationId }) => operationId)).toEqual(['createConsoleSession']);
  });

  it('is taken up to 16 KiB', async () => {
    const answer = await post(signIn(16 * kibibyte));
    expectProblem(answer, 401, 'UNAUTHORIZED');
    expectProblem(await post(gzipSync(signIn(16 * kibibyte)), { 'content-encoding': 'gzip' }), 401);
  });

  it('is refused beyond that, and told so', async () => {
    const problem = expectProblem(await post(signIn(17 * kibibyte)), 413, 'INVALID_REQUEST_FORMAT');
    expect(problem.message).toBe('The body is larger than 16 KiB.');
  });

  it('is refused beyond that when it is unpacked', async () => {
    const packed = gzipSync(signIn(17 * kibibyte));
    const problem = expectProblem(await post(packed, { 'content-encoding': 'gzip' }), 413);
    expect(problem.message).toBe('The body is larger than 16 KiB.');
  });
});

describe('a longer body', () => {
  it('may be an event of the rail', async () => {
    const body = 'x'.repeat(17 * kibibyte);
    const answer = await fetch(`${new URL(service.url).origin}/rail/events`, { method: 'POST', body });
    expect(answer.status).toBe(204);
    expect(heard).toEqual([17 * kibibyte]);
  });

  it('has 1 MiB where there are credentials', async () => {
    const problem = expectProblem(
      await service.client.post('/customers', { nobody: 'x'.repeat(kibibyte * kibibyte) }),
      413,
    );
    expect(problem.message).toBe('The body is larger than 1 MiB.');
  });
});
