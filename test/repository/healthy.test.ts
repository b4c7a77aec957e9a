import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const script = join(import.meta.dirname, '../../bin/healthy.js');

/** A port at which these paths are answered 200, and others 503. */
async function answering(...paths: readonly string[]): Promise<number> {
  const server = createServer(({ url = '' }, response) =>
    response.writeHead(paths.includes(url) ? 200 : 503).end(),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function exitFor(port: number): Promise<unknown> {
  const env = { PATH: process.env.PATH, PORT: String(port) };
  const [code] = await once(spawn(process.execPath, [script], { env, stdio: 'ignore' }), 'exit');
  return code;
}

it('the health check of the image is passed while the service runs, and its servers are away', async () => {
  expect(await exitFor(await answering('/healthz'))).toBe(0);
});

it('the health check of the image fails where the service does not run', async () => {
  expect(await exitFor(await answering('/readyz'))).toBe(1);
  expect(await exitFor(1)).toBe(1);
});
