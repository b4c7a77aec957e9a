import type { Express } from 'express';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../../../src/api/refusals.ts';
import { RequestLate } from '../../../src/infrastructure/away.ts';
import { answerErrors } from '../../../src/infrastructure/http/answer-errors.ts';
import { createApp, listenOn } from '../../../src/infrastructure/http/server.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';

const silent = { error: () => undefined, warn: () => undefined };
const fail = () => {
  throw new Error('no room');
};
/** Has no room for the first line. */
function full() {
  let lines = 0;
  const line = () => (lines++ === 0 ? fail() : undefined);
  return { error: line, warn: line };
}

async function answerOf(app: Express, request: RequestInit = {}) {
  const server = await listenOn(app, 0, '127.0.0.1');
  try {
    const answer = await fetch(server.origin, request);
    const { status, headers } = answer;
    return { status, type: headers.get('content-type'), text: await answer.text() };
  } finally {
    await server.close();
  }
}

const failingWith = (error: unknown): Express =>
  createApp().use(() => {
    throw error;
  });

const plain = { status: 500, type: 'application/json; charset=utf-8' };
const unwritable = { toJSON: () => fail() };

describe('an error', () => {
  it('that is a refusal is answered with it', async () => {
    const app = failingWith(new Rejected('CONFLICT', 'Again.')).use(answerErrors({ problemOf, log: silent }));
    expect(await answerOf(app)).toMatchObject({ status: 409, text: expect.stringContaining('Again.') });
  });

  it.each([
    ['GET', false, {}, /Send the request again\.$/],
    ['POST', true, { 'idempotency-key': 'k' }, /send it again with the same Idempotency-Key\.$/],
    ['POST', false, { 'idempotency-key': 'k' }, /look whether it was done before you send it again\.$/],
    ['PATCH', true, {}, /look whether it was done before you send it again\.$/],
  ])(
    'that leaves open what became of a %s (takes a key: %s) with %o says what to do',
    async (method, takesKey, headers, says) => {
      const app = createApp()
        .use((_req, res) => {
          res.locals.takesKey = takesKey;
          throw new RequestLate('the request took longer than 1000 ms');
        })
        .use(answerErrors({ problemOf, log: silent }));
      const { status, text } = await answerOf(app, { method, headers });
      expect(status).toBe(503);
      expect(JSON.parse(text).message).toMatch(says);
    },
  );

  it.each([
    ['what it means cannot be said', fail],
    [
      'what it means cannot be written',
      () => ({ status: 400, code: 'X', message: 'x', details: unwritable }),
    ],
    ['what it means has no such status', () => ({ status: 99_999, code: 'X', message: 'x' })],
  ])('is answered in the same few words where %s', async (_why, broken) => {
    const app = failingWith(new Error('secret')).use(
      answerErrors({ problemOf: broken as never, log: silent }),
    );
    const { text, ...rest } = await answerOf(app);
    expect(rest).toEqual(plain);
    expect(JSON.parse(text)).toEqual({
      status: 500,
      code: 'INTERNAL_ERROR',
      message: 'The service failed to handle the request.',
    });
  });

  it('is answered where it cannot be logged', async () => {
    const app = failingWith(new Error('secret')).use(answerErrors({ problemOf, log: full() }));
    expect(await answerOf(app)).toMatchObject({ ...plain, text: expect.not.stringContaining('secret') });
  });

  it('tells nobody where the code lies, not even where nothing answers it', async () => {
    const { status, text } = await answerOf(failingWith(new Error('secret')));
    expect(status).toBe(500);
    expect(text).not.toMatch(/secret|node_modules|\.ts|\bat /);
  });
});
