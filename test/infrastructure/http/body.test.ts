/** Bodies at their bound, as they are and packed. */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bodyLimits, receiveBody } from '../../../src/infrastructure/http/doors/body.ts';
import { createRoom, type Room } from '../../../src/infrastructure/http/doors/room.ts';
import { type HttpServer, listenOn } from '../../../src/infrastructure/http/server.ts';
import { headOf, openSocket } from '../../support/http/raw-socket.ts';

const mebibyte = 1_048_576;
const serverWith = (room: Room): Promise<HttpServer> =>
  listenOn(
    async (req, res) => {
      try {
        const body = await receiveBody(req, res, room);
        res.end(`${body.length} bytes, ${body.every((byte) => byte === 97) ? 'as sent' : 'others'}`);
      } catch (error) {
        const refused = error as Error & { status?: number };
        res.writeHead(refused.status ?? 400).end(refused.message);
      }
    },
    0,
    '127.0.0.1',
  );

let server: HttpServer;
beforeAll(async () => {
  server = await serverWith(createRoom());
  return server.close;
});

type Sent = { readonly status: number; readonly text: string };

async function post(
  body: Uint8Array,
  encoding?: string,
  isChunked = false,
  { origin } = server,
): Promise<Sent> {
  const sent = isChunked ? new Blob([new Uint8Array(body)]).stream() : new Uint8Array(body);
  const answer = await fetch(origin, {
    method: 'POST',
    body: sent,
    headers: encoding === undefined ? {} : { 'content-encoding': encoding },
    ...(isChunked && { duplex: 'half' }),
  });
  return { status: answer.status, text: await answer.text() };
}

const letters = (many: number) => Buffer.alloc(many, 'a');
const whole = (many: number): Sent => ({ status: 200, text: `${many} bytes, as sent` });

describe('a body', () => {
  it.each([
    ['declared', false],
    ['in chunks', true],
  ])('is taken up to 1 MiB and no byte further: %s', async (_how, isChunked) => {
    expect(bodyLimits.bytesMax).toBe(mebibyte);
    expect(await post(letters(mebibyte - 1), undefined, isChunked)).toEqual(whole(mebibyte - 1));
    expect(await post(letters(mebibyte), undefined, isChunked)).toEqual(whole(mebibyte));
    expect((await post(letters(mebibyte + 1), undefined, isChunked)).status).toBe(413);
  });
});

type Pack = (body: Uint8Array) => Uint8Array;
const brotli: Pack = (body) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY } });

describe.each<[string, Pack]>([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotli],
])('a body that is packed with %s', (encoding, pack) => {
  it.each([
    ['as its encoding is written', encoding],
    ['in capitals', encoding.toUpperCase()],
  ])('is unpacked up to 1 MiB and no byte further, %s', async (_how, written) => {
    expect(await post(pack(letters(7)), written)).toEqual(whole(7));
    expect(await post(pack(letters(mebibyte)), written)).toEqual(whole(mebibyte));
    expect((await post(pack(letters(mebibyte + 1)), written)).status).toBe(413);
  });

  it('is refused when it is small and would be 32 MiB', async () => {
    const packed = pack(letters(32 * mebibyte));
    expect(packed.length).toBeLessThan(mebibyte);
    expect((await post(packed, encoding)).status).toBe(413);
  });

  it('is refused where it is packed otherwise, or cut', async () => {
    const others: Pack[] = [gzipSync, deflateSync, brotli, deflateRawSync];
    for (const other of others.filter((one) => one !== pack))
      expect((await post(other(letters(1_000)), encoding)).status).toBe(400);
    expect((await post(pack(letters(1_000)).subarray(0, -2), encoding)).status).toBe(400);
  });
});

describe('a body that is not packed', () => {
  it('may say so', async () => {
    expect(await post(letters(7), 'Identity')).toEqual(whole(7));
  });

  it.each(['zstd', 'gzip, gzip', ''])('is refused as %j', async (encoding) => {
    expect((await post(letters(7), encoding)).status).toBe(400);
  });
});

describe('a small body that is packed', () => {
  it('takes room for what it may unpack to, until it is answered', async () => {
    const small = await serverWith(createRoom(3 * mebibyte));
    onTestFinished(small.close);
    const first = await openSocket(small.origin);
    onTestFinished(first.close);
    const packed = gzipSync(letters(7));
    const head = { 'content-encoding': 'gzip', 'content-length': 6, expect: '100-continue' };
    first.say(headOf('POST', small.origin, '/', head));
    await first.untilSaid(/100 Continue/);
    const refused = await post(packed, 'GZIP', false, small);
    expect(refused.text).toContain('on their way');
    expect(await post(letters(20_000), undefined, false, small)).toEqual(whole(20_000));
    expect(await post(letters(20_000), 'identity', false, small)).toEqual(whole(20_000));
    first.say('letter');
    await first.untilSaid(/not encoded as/);
    expect(await post(packed, 'gzip', false, small)).toEqual(whole(7));
  });
});
