import type { Server, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

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

export type HttpServer = {
  /** `http://HOST:PORT`, with the port that the system chose where the configured one is 0. */
  readonly origin: string;
  /** Takes no new requests and lets those in flight finish. */
  close(): Promise<void>;
};

/** Throws when the address cannot be listened on. */
export async function listenOn(app: Express, port: number, host: string): Promise<HttpServer> {
  const server = await new Promise<Server>((resolve, reject) => {
    const listening = app.listen(port, host, (error?: Error) => (error ? reject(error) : resolve(listening)));
  });
  const inFlight = new Set<ServerResponse>();
  server.prependListener('request', (_req, res: ServerResponse) => {
    inFlight.add(res);
    res.once('close', () => inFlight.delete(res));
    if (!server.listening) res.shouldKeepAlive = false;
  });
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`,
    close: () => drain(server, inFlight),
  };
}

function drain(server: Server, inFlight: ReadonlySet<ServerResponse>): Promise<void> {
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

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
