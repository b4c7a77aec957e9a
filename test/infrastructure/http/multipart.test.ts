import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { UploadStore } from '../../../src/infrastructure/http/uploads/keep-file.ts';
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

describe('an upload', () => {
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
