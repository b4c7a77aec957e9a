import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createSender } from '../../../src/workers/webhooks/send.ts';
import { answering, type Receiver, startReceiver } from '../../support/servers/receiver.ts';

const lenient = createSender({ allowPrivate: true });
const strict = createSender({ allowPrivate: false });
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => receiver.answer(200));
afterAll(async () => {
  lenient.close();
  strict.close();
  await receiver.close();
});

const call = (url = receiver.url, timeoutMs = 5_000) => ({
  url,
  timeoutMs,
  allowHttp: true,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"data":{}}'),
});

/** The address of a server that says what it wants on each connection, until the test ends. */
async function saying(say: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => say(socket.on('error', () => undefined)));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
}

/** Says the same without end, as fast as it is taken. */
function flood(socket: Socket, text: string): void {
  const go = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', go).once('data', go);
}

describe('a call to a receiver', () => {
  it('comes back with status, time and text', async () => {
    receiver.answer(answering(202, { 'retry-after': '7' }, 'thanks'));
    const { latencyMs, ...outcome } = await lenient.send(call());
    expect(outcome).toEqual({ status: 202, excerpt: 'thanks', retryAfter: '7' });
    expect(latencyMs).toBeGreaterThanOrEqual(0);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    const count = receiver.received.length;
    receiver.answer(answering(status, { location: receiver.url }));
    expect(await lenient.send(call())).toMatchObject({ status });
    expect(receiver.received.length).toBe(count + 1);
  });

  it('takes a change of protocol as an answer, and does not go along', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const url = await saying((socket) => {
      socket.once('close', () => resolve());
      socket.once('data', () => socket.write(head));
    });
    const { latencyMs, ...outcome } = await lenient.send(call(url, 2_000));
    expect(outcome).toEqual({ status: 101 });
    expect(latencyMs).toBeLessThan(1_500);
    await closed;
  });

  it('reads no more than 2 KiB of an answer without end', async () => {
    receiver.answer((_received, response) => {
      const timer = setInterval(() => response.write('x'.repeat(1_000)), 1);
      response.once('close', () => clearInterval(timer));
    });
    const { excerpt, status } = await lenient.send(call());
    expect([status, excerpt?.length]).toEqual([200, 2_048]);
  });

  it.each([
    [65_536, 65_536],
    [65_537, undefined],
  ])('has the text of an answer of %i bytes where it may be 64 KiB long: %s', async (size, length) => {
    receiver.answer(answering(200, {}, 'x'.repeat(size)));
    const { text, excerpt } = await lenient.send({ ...call(), answerMaxBytes: 65_536 });
    expect([text?.length, excerpt?.length]).toEqual([length, 2_048]);
  });

  it('has no text of an answer that breaks off', async () => {
    receiver.answer((_received, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{}', () => response.destroy());
    });
    const { text, status } = await lenient.send({ ...call(), answerMaxBytes: 65_536 });
    expect([status, text]).toEqual([200, undefined]);
  });

  it.each([
    ['a body that may have none', '204 No Content', '\r\n{"ok":true}', ''],
    ['more than it says', '200 OK', 'content-length: 2\r\n\r\nokay', 'ok'],
    ['a piece without a length', '200 OK', 'transfer-encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n', 'ok'],
    [
      'an end that is too long',
      '200 OK',
      `transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      'ok',
    ],
  ])('counts a status that is followed by %s', async (_, status, rest, excerpt) => {
    const url = await saying((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 ${status}\r\n${rest}`));
    });
    const { latencyMs, ...outcome } = await lenient.send(call(url));
    expect(outcome).toEqual({ status: Number.parseInt(status, 10), excerpt });
  });

  it('counts a status whose connection is cut off after it, and calls no other', async () => {
    let calls = 0;
    const url = await saying((socket) => {
      socket.on('data', () => {
        calls += 1;
        // The second call comes over the connection of the first, as does what goes wrong with it.
        if (calls === 1) return void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        socket.write('HTTP/1.1 410 Gone\r\ncontent-length: 100\r\n\r\nno', () => socket.resetAndDestroy());
      });
    });
    expect(await lenient.send(call(url))).toMatchObject({ status: 200 });
    expect(await lenient.send(call(url))).toMatchObject({ status: 410 });
    expect(calls).toBe(2);
  });

  it('says that the time was up for an answer that does not end', async () => {
    receiver.answer((_received, response) => void response.writeHead(200).write('{}'));
    const outcome = await lenient.send({ ...call(receiver.url, 2_000), answerMaxBytes: 65_536 });
    expect(outcome).toMatchObject({ status: 200, timedOut: true });
    expect(outcome.text).toBeUndefined();
  });

  it('ends when its time is up', async () => {
    receiver.answer(() => undefined);
    const outcome = await lenient.send(call(receiver.url, 200));
    expect(outcome).toMatchObject({ error: 'no answer within 200 ms', timedOut: true });
  });

  it('waits no longer than two seconds for a body that comes drop by drop', async () => {
    receiver.answer((_received, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(timer));
    });
    const { status, excerpt, timedOut } = await lenient.send(call(receiver.url, 3_600_000));
    expect([status, timedOut]).toEqual([200, undefined]);
    expect(excerpt).toMatch(/^x+$/);
  });

  it('ends in time where one head after the other says to wait', async () => {
    receiver.answer((_received, response) => {
      const timer = setInterval(() => response.writeProcessing(), 5);
      response.once('close', () => clearInterval(timer));
    });
    expect(await lenient.send(call(receiver.url, 300))).toMatchObject({ timedOut: true });
  });

  it('takes no head of more than 16 KiB', async () => {
    receiver.answer(answering(200, { 'x-much': 'x'.repeat(20_000) }));
    const { status, error } = await lenient.send(call());
    expect([status, error]).toEqual([undefined, expect.any(String)]);
  });

  it.each([
    ['heads that say to wait', 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'],
    ['empty lines', '\r\n'],
  ])('takes no more than 64 KiB of %s', async (_what, piece) => {
    const url = await saying((socket) => flood(socket, piece.repeat(1_000)));
    const { status, error, timedOut } = await lenient.send(call(url));
    expect([status, timedOut]).toEqual([undefined, undefined]);
    expect(error).toBe('more than 65536 bytes came before the head of an answer');
  });

  it('counts a status whose body does not end', async () => {
    receiver.answer((_received, response) => void response.writeHead(500).write('…'));
    expect(await lenient.send(call(receiver.url, 2_000))).toMatchObject({ status: 500 });
  });

  it.each(['hangs up at once', 'hangs up after the headers', 'talks nonsense'])(
    'survives one that %s',
    async (how) => {
      const url = await saying((socket) => {
        if (how === 'hangs up at once') socket.destroy();
        else
          socket.once('data', () =>
            socket.end(how === 'talks nonsense' ? 'EHLO\r\n' : 'HTTP/1.1 200 OK\r\n'),
          );
      });
      const outcome = await lenient.send(call(url));
      expect(outcome.status).toBeUndefined();
      expect(outcome.error).toBeDefined();
    },
  );

  it('survives a port on which nobody listens', async () => {
    expect((await lenient.send(call('http://127.0.0.1:1/'))).error).toMatch(/ECONNREFUSED/);
  });

  it('goes over a connection that is there already', async () => {
    let connections = 0;
    const server = createHttpServer(
      (request, response) => void request.resume().on('end', () => response.end('ok')),
    );
    server.on('connection', () => connections++);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
    for (let n = 0; n < 20; n++) expect(await lenient.send(call(url))).toMatchObject({ status: 200 });
    expect(connections).toBe(1);
    server.closeAllConnections();
    server.close();
  });

  it('ends a connection that no further call has gone over for a while', async () => {
    const sender = createSender({ allowPrivate: true, keptMs: 100 });
    onTestFinished(() => sender.close());
    const server = createHttpServer({ keepAliveTimeout: 0 }, (request, response) =>
      request.resume().on('end', () => response.end()),
    );
    const ended = new Promise((resolve) =>
      server.on('connection', (socket: Socket) => socket.once('close', resolve)),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await sender.send(call(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
    await ended;
  });

  it('survives a receiver that closes the connection between two calls', async () => {
    await lenient.send(call());
    await receiver.close();
    receiver = await startReceiver(receiver);
    expect(await lenient.send(call())).toMatchObject({ status: 200 });
  });

  it.each([
    [false, 2],
    [true, 1],
  ])('that breaks off where others went well (once: %s) is made %i times', async (once, times) => {
    await lenient.send(call());
    const count = receiver.received.length;
    receiver.answer((_received, response) => response.destroy());
    const outcome = await lenient.send({ ...call(), once });
    expect([outcome.status, outcome.error]).toEqual([undefined, expect.any(String)]);
    expect(receiver.received.length - count).toBe(times);
  });
});

it('a call that is made again has the time that is left', async () => {
  const timeoutMs = 2_000;
  const lateMs = 1_500;
  let connections = 0;
  const url = await saying((socket) => {
    const isFirst = ++connections === 1;
    let asked = 0;
    socket.on('data', () => {
      asked += 1;
      const answer = () => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      if (!isFirst) setTimeout(answer, lateMs);
      else if (asked === 1) answer();
      else setTimeout(() => socket.resetAndDestroy(), lateMs);
    });
  });
  expect(await lenient.send(call(url, timeoutMs))).toMatchObject({ status: 200 });
  const { timedOut, latencyMs } = await lenient.send(call(url, timeoutMs));
  expect([timedOut, connections]).toEqual([true, 2]);
  expect(latencyMs).toBeGreaterThanOrEqual(lateMs);
});

describe('a call that is not allowed', () => {
  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])(
    'does not reach %s',
    async (host) => {
      const count = receiver.received.length;
      const { status, error } = await strict.send(call(receiver.url.replace('127.0.0.1', host)));
      expect([status, error]).toEqual([undefined, expect.stringMatching(/private or reserved/)]);
      expect(receiver.received.length).toBe(count);
    },
  );

  it('tells a name that is unknown and one that leads inside in the same words', async () => {
    const [unknown, inside] = await Promise.all(
      ['nowhere.invalid', 'localhost'].map((host) =>
        strict.send(call(receiver.url.replace('127.0.0.1', host))),
      ),
    );
    expect(unknown?.error).toBe(inside?.error);
  });

  it('is not made over http where https is demanded', async () => {
    const { error } = await lenient.send({ ...call(), allowHttp: false });
    expect(error).toMatch(/https/);
  });
});
