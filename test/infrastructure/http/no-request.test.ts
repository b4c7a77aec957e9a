/** What comes to the door and is no request that could be worked on. */
import type { RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receiveBody } from '../../../src/infrastructure/http/doors/body.ts';
import { createRoom } from '../../../src/infrastructure/http/doors/room.ts';
import { type Doors, listenOn, usualDoors } from '../../../src/infrastructure/http/server.ts';
import { headOf, openSocket } from '../../support/http/raw-socket.ts';

const working: RequestListener = (_req, res) => void res.end('worked on');

async function opened(app: RequestListener = working, doors: Partial<Doors> = {}) {
  const server = await listenOn(app, 0, '127.0.0.1', { ...usualDoors, ...doors });
  onTestFinished(server.close);
  const socket = await openSocket(server.origin);
  onTestFinished(socket.close);
  return { url: server.origin, socket };
}

/** The one answer that came, and its body. */
function answerIn(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  expect(length === undefined || Number(length) === Buffer.byteLength(body)).toBe(true);
  return { head, body };
}

function expectRefused(text: string, status: number) {
  const { head, body } = answerIn(text);
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`));
  expect(head).toMatch(/^connection: close$/im);
  expect(head).toMatch(/^content-type: application\/json/im);
  expect(head).toMatch(/^cache-control: no-store$/im);
  expect(head).toMatch(/^x-request-id: Request:[0-9a-f-]{36}$/im);
  expect(JSON.parse(body)).toEqual({ status, code: 'INVALID_REQUEST_FORMAT', message: expect.any(String) });
}

const mark = 'Zither';
const host = 'host: a.example\r\n';
const wrong: [what: string, said: string, status: number][] = [
  ['a header that is too long', `GET / HTTP/1.1\r\n${host}x: ${mark.repeat(3_000)}\r\n\r\n`, 431],
  ['a path that is too long', `GET /${mark.repeat(3_000)} HTTP/1.1\r\n${host}\r\n`, 431],
  ['a header without a colon', `GET / HTTP/1.1\r\n${host}${mark}\r\n\r\n`, 400],
  ['two lengths', `POST / HTTP/1.1\r\n${host}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n`, 400],
  ['an unknown method', `${mark} / HTTP/1.1\r\n${host}\r\n`, 400],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a greeting of TLS', '\u0016\u0003\u0001', 400],
  ['an unknown expectation', `GET / HTTP/1.1\r\n${host}expect: ${mark}\r\n\r\n`, 417],
  ['an expectation and a body', `POST / HTTP/1.1\r\n${host}expect: x\r\ncontent-length: 4\r\n\r\nbody`, 417],
];

describe('what is no request', () => {
  it.each(wrong)('is refused as all else, and not repeated: %s', async (_what, said, status) => {
    const { socket } = await opened();
    socket.say(said);
    const { text } = await socket.ending();
    expectRefused(text, status);
    expect(text).not.toContain(mark);
  });

  it('has an id of its own each time', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const { socket } = await opened();
        socket.say('nonsense\r\n\r\n');
        return /x-request-id: (.*)\r/i.exec((await socket.ending()).text)?.[1];
      }),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('is answered when it does not come in time', async () => {
    const { socket } = await opened(working, { headMs: 200 });
    socket.say(`GET / HTTP/1.1\r\n${host}`);
    expectRefused((await socket.ending()).text, 408);
  });

  it('is answered where its sender has far more to say', async () => {
    const { socket } = await opened();
    socket.say(`GET / HTTP/1.1\r\n${host}x: ${'a'.repeat(600_000)}`);
    expectRefused((await socket.ending()).text, 431);
  });

  it('is not listened to for ever', async () => {
    const { socket } = await opened();
    socket.pour('nonsense\r\n');
    const { taken } = await socket.ending();
    expect(taken).toBeLessThan(24 * 1024 * 1024);
  });

  it('without a host is HTTP of former times', async () => {
    const { socket } = await opened();
    socket.say('GET / HTTP/1.0\r\n\r\n');
    expect((await socket.ending()).text).toMatch(/^HTTP\/1\.1 200 [\s\S]*worked on/);
  });

  it('is refused in the middle of a body, under the id that the request has', async () => {
    const { url, socket } = await opened(async (req, res) => {
      res.setHeader('X-Request-Id', 'Request:01a1f8f8-0000-7000-8000-000000000001');
      await receiveBody(req, res, createRoom()).catch(() => undefined);
    });
    socket.say(`${headOf('POST', url, '/', { 'transfer-encoding': 'chunked' })}4\r\nbody\r\n${mark}\r\n`);
    const { text } = await socket.ending();
    expectRefused(text, 400);
    expect(text).toContain('Request:01a1f8f8-0000-7000-8000-000000000001');
  });
});

describe('what comes behind a request and is none', () => {
  it.each([
    ['', 'nonsense\r\n\r\n'],
    [' once it has said that it is the last', 'GET / HTTP/1.1\r\n\r\n'],
  ])('leaves the request its answer%s, which is the last', async (_when, rest) => {
    const begun = Promise.withResolvers<() => void>();
    const { url, socket } = await opened((_req, res) => begun.resolve(() => void res.end('worked on')));
    const headers = rest.startsWith('GET') ? { connection: 'close' } : {};
    socket.say(`${headOf('POST', url, '/', { 'content-length': 4, ...headers })}body${rest}`);
    const answer = await begun.promise;
    // What is wrong has been seen by now.
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer();
    const { head, body } = answerIn((await socket.ending()).text);
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(head).toMatch(/^connection: close$/im);
    expect(body).toContain('worked on');
  });

  it('ends an answer that has begun', async () => {
    const { url, socket } = await opened((_req, res) => void res.write('begun'));
    socket.say(headOf('GET', url, '/', {}));
    await socket.untilSaid(/begun/);
    socket.say('nonsense\r\n\r\n');
    expect((await socket.ending()).text.match(/HTTP\//g)).toHaveLength(1);
  });

  it('is answered behind the answer', async () => {
    const { url, socket } = await opened();
    socket.say(headOf('GET', url, '/', {}));
    await socket.untilSaid(/worked on/);
    socket.say('nonsense\r\n\r\n');
    expectRefused((await socket.ending()).text.replace(/^[\s\S]*worked on(?:\r\n0\r\n\r\n)?/, ''), 400);
  });
});
