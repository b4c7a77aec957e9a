import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import express, { type Express } from 'express';
import { PassingSet } from '../remembered/passing.ts';
import { boundConnections } from './doors/connections.ts';
import { refuseUnfit, refusing } from './doors/no-request.ts';
import { oneByOne } from './doors/one-by-one.ts';
import { closeUnlessRead, mayBeLong } from './doors/rest.ts';

/** Requests in flight get this long to finish when the server closes. */
export const drainMs = 5_000;

/**
 * An application without routes. Express thinks itself on a developer's machine where `NODE_ENV` is not set, and shows
 * stack traces there: so it is told.
 */
export function createApp(): Express {
  const app = express();
  app.set('env', 'production');
  app.set('query parser', 'simple');
  app.disable('etag');
  app.disable('x-powered-by');
  return app;
}

/** How long a caller may take, and how much one may hold. */
export type Doors = {
  /** Until the head of a request is there. */
  readonly headMs: number;
  /** Until a request is there, body and all: also a document over a slow line. */
  readonly requestMs: number;
  /** Without a byte, while one is waited for. */
  readonly silentMs: number;
  readonly connectionsMax: number;
  /** 0 means no bound. */
  readonly connectionsPerAddress: number;
  /** Told of each connection that is ended at once, as one too many of all. */
  readonly dropped?: () => void;
};

export const usualDoors: Doors = {
  headMs: 10_000,
  requestMs: 120_000,
  silentMs: 15_000,
  connectionsMax: 8_192,
  connectionsPerAddress: 0,
};

/** A connection is closed so long after the time that its caller is told: a request that is on its way then still arrives. */
const crossingMs = 5_000;

/** How often deadlines are looked at. */
const lookMs = 1_000;

export type HttpServer = {
  /** `http://HOST:PORT` as it can be reached from here, with the port that the system chose where the configured one is 0. */
  readonly origin: string;
  /** Takes no new requests and lets those in flight finish. */
  close(): Promise<void>;
};

/** Throws when the address cannot be listened on. */
export async function listenOn(
  app: RequestListener,
  port: number,
  host: string,
  doors: Doors = usualDoors,
): Promise<HttpServer> {
  const { headMs: headersTimeout, requestMs: requestTimeout, connectionsPerAddress } = doors;
  const deadlines = {
    headersTimeout,
    requestTimeout,
    // Callers are told, and stop using a connection some seconds before it is closed: the longer, the fewer cross.
    keepAliveTimeout: doors.silentMs,
    keepAliveTimeoutBuffer: crossingMs,
    connectionsCheckingInterval: Math.min(lookMs, headersTimeout),
    // Node would refuse it without a body.
    requireHostHeader: false,
  };
  const server = createServer(deadlines);
  server.maxConnections = doors.connectionsMax;
  if (doors.dropped) server.on('drop', doors.dropped);
  const surplus = boundConnections(server, connectionsPerAddress);
  const inFlight = new PassingSet<ServerResponse>();
  server.setTimeout(doors.silentMs, (socket) => endSilent(socket, inFlight));
  const serve = oneByOne((req: IncomingMessage, res: ServerResponse) => {
    inFlight.add(res);
    res.once('close', () => inFlight.delete(res));
    if (!server.listening) res.shouldKeepAlive = false;
    if (mayBeLong(req)) closeUnlessRead(req, res);
    if (!surplus.refuse(res) && !refuseUnfit(req, res)) app(req, res);
  });
  server.on('request', serve);
  server.on('checkExpectation', serve);
  server.on(
    'clientError',
    refusing((socket) => resOn(socket, inFlight)),
  );
  // Whoever waits for a 100 gets it from who reads the body.
  server.on('checkContinue', serve);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    origin: `http://${reachable(host)}:${portOf(server)}`,
    close: () => drain(server, inFlight),
  };
}

const resOn = (socket: Socket, inFlight: PassingSet<ServerResponse>): ServerResponse | undefined =>
  inFlight.values().find((one) => one.socket === socket);

/** Ends a connection on which nothing has moved, unless it is for the service to move. */
function endSilent(socket: Socket, inFlight: PassingSet<ServerResponse>): void {
  const res = resOn(socket, inFlight);
  const isOurTurn = res?.req.complete && !res.writableEnded;
  if (!isOurTurn) socket.destroy();
}

function drain(server: Server, inFlight: PassingSet<ServerResponse>): Promise<void> {
  // Each connection ends with the answer it is waiting for, and takes no further request.
  for (const res of inFlight) res.shouldKeepAlive = false;
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Who listens on all addresses is reached at loopback: the address that stands for all is nobody's. */
export const reachable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (/^[0:]+$/.test(host) && isIPv6(host)) return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
