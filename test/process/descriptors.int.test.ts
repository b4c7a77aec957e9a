import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { clientOf } from '../support/http/client.ts';
import { credentialsIn, spawnDaybook, temporaryDirectory, untilTold } from '../support/processes/process.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { startReceiver } from '../support/servers/receiver.ts';

const filesMax = 256;
const connectionsMax = filesMax / 2;

/** Connections that ask for nothing. Some of them are ended at once. */
function openMany(port: number, many: number): readonly Socket[] {
  const sockets = Array.from({ length: many }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

const messagesIn = (log: string) =>
  log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).msg as string] : []));

it('callers who hold all connections that there are leave files for the work', async () => {
  const cwd = await temporaryDirectory();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const prefix = ['sh', '-c', `ulimit -n ${filesMax}; exec "$@"`, 'sh'];
  const daybook = spawnDaybook({ cwd, prefix });
  onTestFinished(async () => {
    daybook.kill('SIGTERM');
    await daybook.exited;
  });
  const url = await daybook.ready;
  const client = clientOf(url, await credentialsIn(cwd));
  // This connection is kept for what follows.
  expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);

  const sockets = openMany(Number(new URL(url).port), 2 * filesMax);
  await eventually(
    async () => sockets.filter(({ destroyed }) => destroyed).length,
    (ended) => ended > filesMax,
  );
  expectStatus(await client.post('/sandbox/webhooks/test'), 200);
  expect(receiver.received.at(-1)?.body.type).toBe('TEST');
  const refused = 'connections are refused: as many are open as are held';
  const told = messagesIn(await untilTold(daybook, refused));
  expect(told.filter((message) => message === refused)).toHaveLength(1);
  expect(told).toContain('few files may be open: fewer connections are held');
  expect(daybook.stderr()).toContain(`"connectionsMax":${connectionsMax}`);

  for (const socket of sockets) socket.destroy();
  await eventually(
    async () => (await fetch(new URL('/readyz', url)).catch(() => undefined))?.status,
    (status) => status === 200,
  );
});
