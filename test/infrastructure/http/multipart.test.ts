import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pieceBytes, type UploadStore } from '../../../src/infrastructure/http/uploads/keep-file.ts';
import { type Received, receiveUpload } from '../../../src/infrastructure/http/uploads/multipart.ts';

const mebibyte = 1024 * 1024;
const limits = { bytesMax: 10 * mebibyte, typeOf: () => 'image/png', types: 'anything' };

/** Sends the form to a server that reads it into the store. */
async function received(form: FormData, storeOf: (req: IncomingMessage) => UploadStore): Promise<Received> {
  let result: Promise<Received> | undefined;
  const server = createServer(async (req, res) => {
    result = receiveUpload(req, limits, storeOf(req));
    await result.catch(() => undefined);
    res.end();
  }).listen(0, '127.0.0.1');
  const { port } = await new Promise<AddressInfo>((resolve) =>
    server.once('listening', () => resolve(server.address() as AddressInfo)),
  );
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: form });
  server.close();
  if (!result) throw new Error('no request came');
  return result;
}

const formWith = (size: number): FormData => {
  const form = new FormData();
  form.append('file', new Blob([Buffer.alloc(size, 'x')], { type: 'image/png' }), 'a.png');
  return form;
};

/** The same as `received`, of what is sent over a socket of its own, in chunks of so many bytes. */
async function receivedInChunks(size: number, chunk: number, store: UploadStore): Promise<Received> {
  const result = Promise.withResolvers<Received>();
  const server = createServer((req, res) => {
    receiveUpload(req, limits, store).then(result.resolve, result.reject);
    result.promise.catch(() => undefined).finally(() => res.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=B\r\n';
  const file = '--B\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const chunks = chunkOf('x'.repeat(chunk)).repeat(size / chunk);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const end = `${chunkOf('\r\n--B--\r\n')}0\r\n\r\n`;
  socket.write(`${head}transfer-encoding: chunked\r\n\r\n${chunkOf(file)}${chunks}${end}`);
  return result.promise;
}

const taking = (pieces: Uint8Array[]): UploadStore => ({
  begin: async () => 'upload',
  append: async (_id, _n, bytes) => void pieces.push(bytes),
  discard: async () => undefined,
});

describe('an upload', () => {
  it('is stored in large pieces, however short those are in which it comes', async () => {
    const pieces: Uint8Array[] = [];
    const { file } = await receivedInChunks(mebibyte, 64, taking(pieces));
    expect(file?.size).toBe(mebibyte);
    expect(pieces.map(({ length }) => length)).toEqual(Array(4).fill(pieceBytes));
    expect(Buffer.concat(pieces).equals(Buffer.alloc(mebibyte, 'x'))).toBe(true);
  });

  it('is refused in pieces of few bytes, once there are many of them', async () => {
    const pieces: Uint8Array[] = [];
    await expect(receivedInChunks(mebibyte, 1, taking(pieces))).rejects.toMatchObject({
      message: 'The body comes in pieces of fewer than 64 bytes.',
    });
    expect(await receivedInChunks(5_000, 1, taking(pieces))).toMatchObject({ file: { size: 5_000 } });
  });

  it('is read no faster than it is stored', async () => {
    const ahead: number[] = [];
    let stored = 0;
    const { file } = await received(formWith(9 * mebibyte), (req) => ({
      begin: async () => 'upload',
      async append(_id, _n, bytes) {
        await delay(5);
        stored += bytes.length;
        ahead.push(req.socket.bytesRead - stored);
      },
      discard: async () => undefined,
    }));
    expect(file?.size).toBe(9 * mebibyte);
    expect(stored).toBe(9 * mebibyte);
    expect(Math.max(...ahead)).toBeLessThan(mebibyte);
  });

  it('is read to its end after the store has failed', async () => {
    const discarded: string[] = [];
    const failing: UploadStore = {
      begin: async () => 'upload',
      append: async () => Promise.reject(new Error('no space left')),
      discard: async (id) => void discarded.push(id),
    };
    await expect(received(formWith(3 * mebibyte), () => failing)).rejects.toThrow('no space left');
    expect(discarded).toEqual(['upload']);
  });
});
