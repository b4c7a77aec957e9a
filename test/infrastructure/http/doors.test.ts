import { EventEmitter } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receiveBody } from '../../../src/infrastructure/http/doors/body.ts';
import { boundConnections } from '../../../src/infrastructure/http/doors/connections.ts';
import { waitingMax } from '../../../src/infrastructure/http/doors/one-by-one.ts';
import { fewPieces, smallPiece } from '../../../src/infrastructure/http/doors/pieces.ts';
import { createRoom } from '../../../src/infrastructure/http/doors/room.ts';
import { type Doors, listenOn, usualDoors } from '../../../src/infrastructure/http/server.ts';
import { chunkOf, headOf, openSocket, type RawSocket } from '../../support/http/raw-socket.ts';
import { measured } from '../../support/processes/measured.ts';

/** Where a test does not say otherwise, long enough never to be met. */
const patient: Doors = { ...usualDoors, headMs: 300_000, requestMs: 300_000, silentMs: 300_000 };

async function start(app: RequestListener, doors: Partial<Doors> = {}): Promise<string> {
  const server = await listenOn(app, 0, '127.0.0.1', { ...patient, ...doors });
  onTestFinished(server.close);
  return server.origin;
}

async function opened(url: string): Promise<RawSocket> {
  const socket = await openSocket(url);
  onTestFinished(socket.close);
  return socket;
}

const limits = { bytesMax: 1_000_000, withinMs: 300_000 };
const room = createRoom();

/** Answers with how long the body was, or with why it was refused. */
const reading =
  (withinMs = limits.withinMs, inRoom = room): RequestListener =>
  async (req: IncomingMessage, res: ServerResponse) => {
    try {
      const body = await receiveBody(req, res, inRoom, { ...limits, withinMs });
      res.end(`read ${body.length}`);
    } catch (error) {
      res.end(error instanceof Error ? error.message : '');
    }
  };

const post = (url: string, headers: Readonly<Record<string, string | number>>) =>
  headOf('POST', url, '/', headers);

describe('a caller who', () => {
  it('does not finish the head of a request is cut off', async () => {
    const url = await start(reading(), { headMs: 200 });
    const socket = await opened(url);
    socket.say('POST / HTTP/1.1\r\nhost: x\r\n');
    expect((await socket.ending()).status).toBe(408);
  });

  it('sends a head letter by letter is cut off', async () => {
    const url = await start(reading(), { headMs: 200 });
    const socket = await opened(url);
    socket.say('POST / HTTP/1.1\r\nhost: ');
    const timer = setInterval(() => socket.say('x'), 20);
    expect((await socket.ending()).status).toBe(408);
    clearInterval(timer);
  });

  it('falls silent in the middle of a body is cut off', async () => {
    const url = await start(reading(), { silentMs: 200 });
    const socket = await opened(url);
    socket.say(`${post(url, { 'content-length': 100 })}half`);
    expect((await socket.ending()).text).toBe('');
  });

  it('sends a body letter by letter is answered at the deadline, and cut off', async () => {
    const url = await start(reading(200));
    const socket = await opened(url);
    socket.say(post(url, { 'content-length': 100_000 }));
    const timer = setInterval(() => socket.say('x'), 20);
    const { text } = await socket.ending();
    clearInterval(timer);
    expect(text).toContain('did not come within');
    expect(text).toMatch(/^connection: close\r$/im);
  });

  it('takes too long over all is cut off, whoever reads', async () => {
    const url = await start((req) => void req.resume(), { headMs: 200, requestMs: 200 });
    const socket = await opened(url);
    socket.say(post(url, { 'transfer-encoding': 'chunked' }));
    const timer = setInterval(() => socket.say('1\r\nx\r\n'), 20);
    expect((await socket.ending()).status).toBe(408);
    clearInterval(timer);
  });

  it('says nothing at all is cut off', async () => {
    const socket = await opened(await start(reading(), { silentMs: 200 }));
    expect((await socket.ending()).text).toBe('');
  });

  it('waits for an answer is not', async () => {
    const late = (_req: IncomingMessage, res: ServerResponse) =>
      void setTimeout(() => res.end('late'), 4_000);
    const url = await start(late, { silentMs: 1_500 });
    const socket = await opened(url);
    socket.say(post(url, { 'content-length': 0 }));
    expect(await socket.untilSaid(/late/)).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('connections of one address', () => {
  const bound = { connectionsPerAddress: 2 };

  it('beyond the bound are told so, and ended', async () => {
    const url = await start(reading(), bound);
    await opened(url);
    await opened(url);
    const third = await opened(url);
    third.say(post(url, { 'content-length': 0 }));
    const { status, text } = await third.ending();
    expect(status).toBe(503);
    expect(text).toMatch(/^retry-after: 1\r$/im);
    expect(text).toMatch(/^cache-control: no-store\r$/im);
    expect(text).toMatch(/^x-request-id: Request:[0-9a-f-]{36}\r$/im);
    expect(text).toContain('"code":"SERVICE_UNAVAILABLE"');
  });

  it('beyond the bound end soon when they ask for nothing', async () => {
    const url = await start(reading(), bound);
    await opened(url);
    await opened(url);
    expect((await (await opened(url)).ending()).text).toBe('');
  });

  it('make room when they end', async () => {
    const url = await start(reading(), bound);
    await opened(url);
    const second = await opened(url);
    second.say(post(url, { 'content-length': 0, connection: 'close' }));
    expect((await second.ending()).status).toBe(200);
    const third = await opened(url);
    third.say(post(url, { 'content-length': 0 }));
    expect(await third.untilSaid(/read/)).toMatch(/^HTTP\/1\.1 200/);
  });

  it('beyond those of all callers together are ended at once, and told of', async () => {
    let dropped = 0;
    const url = await start((_req, res) => void res.end(), { connectionsMax: 2, dropped: () => dropped++ });
    await opened(url);
    await opened(url);
    const { hostname, port } = new URL(url);
    await new Promise((resolve) => connect(Number(port), hostname).on('error', resolve).on('close', resolve));
    expect(dropped).toBe(1);
  });

  it('are not counted where the bound is 0', async () => {
    const url = await start(reading(), { connectionsPerAddress: 0 });
    for (let n = 0; n < 20; n++) await opened(url);
    const last = await opened(url);
    last.say(post(url, { 'content-length': 0 }));
    expect(await last.untilSaid(/read/)).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('requests that are sent before the answers have come', () => {
  const get = (url: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
    headOf('GET', url, path, headers);

  /** Answers when it is told to; the paths that were begun. */
  function heldBack() {
    const begun: (string | undefined)[] = [];
    const answers: (() => void)[] = [];
    const app: RequestListener = (req, res) => {
      begun.push(req.url);
      answers.push(() => {
        res.shouldKeepAlive = req.url !== '/last';
        res.end(`answer ${begun.length}`);
      });
    };
    return { app, begun, answerNext: () => answers.shift()?.() };
  }

  it('are answered one after the other, in their order', async () => {
    const { app, begun, answerNext } = heldBack();
    const url = await start(app);
    const socket = await opened(url);
    socket.say(['/1', '/2', '/3'].map((path) => get(url, path)).join(''));
    for (const n of [1, 2, 3]) {
      await expect.poll(() => begun.length).toBe(n);
      answerNext();
      await socket.untilSaid(new RegExp(`answer ${n}`));
    }
    expect(begun).toEqual(['/1', '/2', '/3']);
  });

  it('wait until the answers before them are taken', async () => {
    let begun = 0;
    const answer = Buffer.alloc(32 * 1024 * 1024);
    const url = await start((req, res) => {
      begun += 1;
      res.end(req.url === '/long' ? answer : undefined);
    });
    const { port, hostname } = new URL(url);
    const deaf = connect({ port: Number(port), host: hostname }).pause();
    onTestFinished(() => void deaf.destroy());
    deaf.on('error', () => undefined).write(get(url, '/long').repeat(waitingMax));
    await expect.poll(() => begun).toBe(1);
    const other = await opened(url);
    other.say(get(url, '/', { connection: 'close' }));
    await other.ending();
    expect(begun).toBe(2);
  });

  it('end the connection where they are more than wait', async () => {
    const { app, begun } = heldBack();
    const url = await start(app);
    const socket = await opened(url);
    socket.say(get(url, '/').repeat(waitingMax + 2));
    expect((await socket.ending()).text).toBe('');
    expect(begun).toHaveLength(1);
  });

  it('are not begun behind an answer that ends the connection', async () => {
    const { app, begun, answerNext } = heldBack();
    const url = await start(app);
    const socket = await opened(url);
    socket.say(get(url, '/last') + get(url, '/never'));
    await expect.poll(() => begun.length).toBe(1);
    answerNext();
    expect((await socket.ending()).status).toBe(200);
    expect(begun).toEqual(['/last']);
  });

  it('are not begun for a caller who has gone', async () => {
    const { app, begun, answerNext } = heldBack();
    const url = await start(app);
    const socket = await openSocket(url);
    socket.say(get(url, '/1') + get(url, '/2'));
    await expect.poll(() => begun.length).toBe(1);
    socket.close();
    const other = await opened(url);
    other.say(get(url, '/other'));
    await expect.poll(() => begun).toContain('/other');
    answerNext();
    answerNext();
    await other.untilSaid(/answer/);
    expect(begun).toEqual(['/1', '/other']);
  });
});

describe('addresses of one network of IPv6', () => {
  const address = (n: number) => `2001:db8:1:2::${n.toString(16)}`;
  const neighbour = '2001:db8:1:3::1';

  it('share the bound on connections', () => {
    const server = new EventEmitter();
    boundConnections(server as Server, 1);
    const connected = (remoteAddress: string) => {
      const state = { ended: false };
      const destroy = () => {
        state.ended = true;
      };
      server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy }));
      return state;
    };
    const [first, second, third] = [address(1), address(2), address(3)].map(connected);
    expect([first, second, third].map((one) => one?.ended)).toEqual([false, false, true]);
    expect(connected(neighbour).ended).toBe(false);
  });

  it('take none once they have left', () => {
    const held = createRoom(30_000, 90_000);
    const ip = address(1);
    const left = { ip, destroyed: true } as never;
    for (let n = 0; n < 2; n++)
      expect(() => held.take(20_000, left, new EventEmitter() as never)).toThrow('ends before');
    held.take(20_000, { ip } as never, new EventEmitter() as never);
  });

  it('share the bound on bytes', () => {
    const held = createRoom(30_000, 90_000);
    const take = (ip: string) => {
      const res = new EventEmitter();
      held.take(20_000, { ip } as never, res as never);
      return res;
    };
    const first = take(address(1));
    expect(() => take(address(2))).toThrow('on their way');
    take(neighbour);
    first.emit('close');
    take(address(2));
  });
});

describe('the bytes of bodies that are held', () => {
  const declared = 50_000;

  it('are bounded for each address, and make room when they are answered', async () => {
    const url = await start(reading(undefined, createRoom(2 * declared)));
    const others = [await opened(url), await opened(url)];
    for (const one of others) one.say(post(url, { 'content-length': declared, expect: '100-continue' }));
    for (const one of others) await one.untilSaid(/100 Continue/);
    const ask = async () => {
      const socket = await opened(url);
      socket.say(post(url, { 'content-length': declared }) + 'x'.repeat(declared));
      return socket.untilSaid(/read|on their way/);
    };
    expect(await ask()).toContain('on their way');
    others[0]?.say('x'.repeat(declared));
    await others[0]?.untilSaid(/read 50000/);
    expect(await ask()).toContain('read 50000');
  });

  it('are bounded in all', async () => {
    const url = await start(reading(undefined, createRoom(10 * declared, declared)));
    const [one, other] = [await opened(url), await opened(url)];
    one.say(post(url, { 'content-length': declared, expect: '100-continue' }));
    await one.untilSaid(/100 Continue/);
    other.say(post(url, { 'content-length': declared }));
    expect(await other.untilSaid(/on their way/)).toBeDefined();
  });

  it('of those that are small are not counted', async () => {
    const url = await start(reading(undefined, createRoom(0, 0)));
    const socket = await opened(url);
    socket.say(`${post(url, { 'content-length': 4 })}body`);
    expect(await socket.untilSaid(/read 4/)).toBeDefined();
  });
});

describe('a caller who has left before the body is read', () => {
  it('is refused, and takes no room with it', async () => {
    const small = createRoom(30_000, 30_000);
    const left = Promise.withResolvers<string>();
    const url = await start(async (req, res) => {
      if (req.url === '/left') {
        req.socket.destroy();
        await new Promise((resolve) => setTimeout(resolve, 50));
        const read = receiveBody(req, res, small, limits);
        left.resolve(
          await read.then(
            () => 'read',
            (error: Error) => error.message,
          ),
        );
      } else await reading(limits.withinMs, small)(req, res);
    });
    const socket = await opened(url);
    socket.say(headOf('POST', url, '/left', { 'content-length': 20_000 }));
    expect(await left.promise).toBe('The body ends before it is complete.');
    const body = 'x'.repeat(20_000);
    const answer = await fetch(url, { method: 'POST', body });
    expect(await answer.text()).toBe('read 20000');
  });
});

describe('a body in pieces of one byte', () => {
  const pieces = 9_000;

  it('takes no more memory than its bytes do, a few times over', async () => {
    const { grown, read } = await measured('body-in-pieces.ts', [], [`${pieces}`]);
    expect(read).toBe(pieces);
    expect(grown).toBeLessThan(100 * pieces);
  });

  it('is the same bytes in the same order', async () => {
    const body = Array.from({ length: pieces }, (_, n) => String.fromCharCode(97 + (n % 26))).join('');
    const url = await start(async (req, res) => {
      res.end(`read ${new TextDecoder().decode(await receiveBody(req, res, room, limits))}.`);
    });
    const socket = await opened(url);
    socket.say(post(url, { 'transfer-encoding': 'chunked' }));
    socket.say(`${[...body].map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`);
    expect(await socket.untilSaid(/read \w*\./)).toContain(`read ${body}.`);
  });

  it('is refused once there are more than are few', async () => {
    const url = await start(reading());
    const socket = await opened(url);
    socket.say(post(url, { 'transfer-encoding': 'chunked' }));
    socket.say(chunkOf(1).repeat(2 * fewPieces));
    expect(await socket.untilSaid(/pieces/)).toContain('The body comes in pieces of fewer than 64 bytes.');
  });

  it('is taken where they are as long as that in the mean', async () => {
    const url = await start(reading());
    const socket = await opened(url);
    socket.say(post(url, { 'transfer-encoding': 'chunked' }));
    socket.say(`${chunkOf(smallPiece).repeat(1.5 * fewPieces)}0\r\n\r\n`);
    expect(await socket.untilSaid(/read/)).toContain(`read ${1.5 * fewPieces * smallPiece}`);
  });
});
