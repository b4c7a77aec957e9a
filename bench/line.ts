import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

export type Line = {
  /** The same server by way of this line. */
  readonly url: string;
  /** From now on nothing comes through, and neither end hears of it. */
  cut(): void;
  close(): void;
};

/** A line to a server that can be cut as a network is: both ends go on believing in their connections. */
export async function lineTo(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = createConnection(Number(port), hostname);
    for (const end of [near, far]) {
      open.add(end);
      end.on('error', () => undefined).once('close', () => open.delete(end));
    }
    if (isCut) return;
    near.pipe(far);
    far.pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = Object.assign(new URL(target), { port: String((server.address() as AddressInfo).port) });
  return {
    url: url.href,
    cut() {
      isCut = true;
      for (const end of open) end.unpipe().removeAllListeners('data').removeAllListeners('end').pause();
    },
    close() {
      server.close();
      for (const end of open) end.destroy();
    },
  };
}
