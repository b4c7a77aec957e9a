/**
 * Loaded into a process of the service before the service itself (`--import`). At the n-th call to the database after it
 * was told to, the process is killed, or the server process behind that connection, before the call is sent. It listens at
 * the Unix socket that `DYING_SOCKET` names: a line `service 7` or `database 7` arms it, `none 0` disarms it.
 */
import { createServer } from 'node:net';
import pg from 'pg';

type Backend = { readonly processID?: number };

const armed = { victim: 'none', left: 0 };

// biome-ignore lint/suspicious/noExplicitAny: whatever is asked of the database, in any of its forms
const { query } = pg.Client.prototype as any;
Object.assign(pg.Client.prototype, {
  query(this: Backend, ...args: unknown[]): unknown {
    if (armed.left > 0) {
      armed.left -= 1;
      if (armed.left === 0) kill(armed.victim, this);
    }
    return query.apply(this, args);
  },
});

function kill(victim: string, { processID }: Backend): void {
  if (victim === 'service') process.kill(process.pid, 'SIGKILL');
  else if (processID) process.kill(processID, 'SIGKILL');
}

const server = createServer((socket) => {
  socket.setEncoding('utf8').once('data', (line) => {
    const [victim = 'none', left = '0'] = String(line).trim().split(' ');
    const before = armed.left;
    Object.assign(armed, { victim, left: Number(left) });
    socket.end(`${before}\n`);
  });
});
server.listen(process.env.DYING_SOCKET).unref();
