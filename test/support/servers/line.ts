import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type Line = {
  /** The same URL by way of this line. */
  readonly url: string;
  /** Nothing comes through until it is thawed; connections are taken all the same. */
  freeze(): void;
  thaw(): void;
  /** From now on nothing comes through on the connections that there are, and no end of theirs hears of it. */
  cut(): void;
  /** The same, and new connections come through no more either. */
  cutForGood(): void;
  /** Both ends hear at once that their connection is gone, as from a server that was killed. */
  reset(): void;
  /** The same; those that come next have another server at their end. */
  leadTo(target: string): void;
};

/** A line to a server that can be cut as a network is: both ends go on believing in their connection. */
export async function lineTo(target: string): Promise<Line> {
  let { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const joined: (readonly [Socket, Socket])[] = [];
  let [isDead, isFrozen] = [false, false];
  const server = createServer((near) => {
    const far = createConnection(Number(port), hostname);
    for (const end of [near, far]) {
      open.add(end);
      end.on('error', () => undefined).once('close', () => open.delete(end));
    }
    if (isDead) return;
    joined.push([near, far]);
    if (!isFrozen) join([near, far]);
  });
  const join = ([near, far]: readonly [Socket, Socket]) => {
    near.pipe(far);
    far.pipe(near);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const end of open) end.destroy();
    server.close();
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const reset = () => {
    for (const end of open) end.resetAndDestroy();
  };
  const cut = () => {
    for (const end of open) end.unpipe().removeAllListeners('data').removeAllListeners('end').pause();
  };
  return {
    url: url.href,
    cut,
    freeze() {
      isFrozen = true;
      for (const [near, far] of joined) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    thaw() {
      isFrozen = false;
      for (const ends of joined) join(ends);
    },
    cutForGood() {
      isDead = true;
      cut();
    },
    reset,
    leadTo(other) {
      ({ hostname, port } = new URL(other));
      reset();
    },
  };
}
