import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeDirectory } from '../support/processes/process.ts';
import { eventually } from '../support/resources/flows.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const example = join(import.meta.dirname, '../../docs/examples/webhook-receiver.mjs');

let directory: string;
let receiver: ChildProcess;
let port: number;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return address.port;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-receiver-'));
  const keyFile = join(directory, 'public-key.pem');
  await writeFile(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  port = await freePort();
  receiver = spawn(process.execPath, [example, keyFile, String(port)], { stdio: 'ignore' });
  await eventually(
    () => statusOf('', ''),
    (status) => status === 400,
  );
});
afterAll(async () => {
  receiver.kill();
  await removeDirectory(directory);
});

const statusOf = (body: string, signature: string) =>
  fetch(`http://127.0.0.1:${port}/webhooks`, {
    method: 'POST',
    headers: { 'x-service-signature': signature },
    body,
  }).then(
    ({ status }) => status,
    () => undefined,
  );

it('the example of a receiver goes on after a caller that hangs up in its request', async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    'POST /webhooks HTTP/1.1\r\nhost: here\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n',
  );
  await once(socket, 'data');
  socket.write('{"id":');
  socket.destroy();
  const body = JSON.stringify({ id: 'Webhook:1', type: 'TEST', timestamp: new Date(), data: {} });
  const signature = sign('sha256', Buffer.from(body), privateKey).toString('base64');
  expect(await statusOf(body, signature)).toBe(200);
  expect(await statusOf(body, signature)).toBe(409);
  expect(await statusOf(`${body} `, signature)).toBe(400);
  expect(receiver.exitCode).toBeNull();
});
