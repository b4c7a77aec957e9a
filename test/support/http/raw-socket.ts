import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What a server said until it closed the connection, and how much of what was sent it, or the system for it, took. */
export type Ending = { readonly text: string; readonly status: number; readonly taken: number };

/** A connection on which a test says whatever it wants, well-formed or not. */
export type RawSocket = {
  say(text: string): void;
  /** Sends the piece again and again, as fast as it is taken, until the connection is closed. */
  pour(piece: string): void;
  /** Resolves with what has come as soon as it matches. */
  untilSaid(pattern: RegExp): Promise<string>;
  /** Resolves when the server has closed the connection, one way or the other. */
  ending(): Promise<Ending>;
  close(): void;
};

export async function openSocket(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let text = '';
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let isPouring = false;
  // Who pours does so until the connection is gone; everybody else has heard enough.
  socket.once('end', () => isPouring || socket.end());
  await once(socket, 'connect');
  const pouring = (piece: string) => {
    while (socket.writable && socket.write(piece));
    if (socket.writable) socket.once('drain', () => pouring(piece));
  };
  return {
    say: (words) => void socket.write(words),
    pour(piece) {
      isPouring = true;
      pouring(piece);
    },
    async untilSaid(pattern) {
      while (!pattern.test(text)) await once(socket, 'data');
      return text;
    },
    async ending() {
      await closed;
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      return { text, status, taken: socket.bytesWritten - socket.writableLength };
    },
    close: () => socket.destroy(),
  };
}

type Head = Readonly<Record<string, string | number>>;

/** The head of a request, with the empty line behind it. */
export const headOf = (method: string, url: string, path: string, headers: Head): string => {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${pathname.replace(/\/$/, '')}${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
};

/** A piece of a chunked body that never ends. */
export const chunkOf = (bytes: number): string => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
