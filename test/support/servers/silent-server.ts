import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server on this machine that takes connections and says nothing, until the test ends. */
export async function silentServer(): Promise<{
  readonly port: string;
  readonly connected: Promise<unknown>;
}> {
  const open = new Set<Socket>();
  const server = createServer((socket) => void open.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = String(typeof address === 'object' && address ? address.port : 0);
  return { port, connected: once(server, 'connection') };
}
