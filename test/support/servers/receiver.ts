import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseBody } from '../../../src/kernel/json.ts';
import type { Client, Json } from '../http/client.ts';
import { expectStatus } from '../resources/flows.ts';

export type Received = {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly body: Json;
  readonly at: number;
};
type Respond = (received: Received, response: ServerResponse) => void;

export type Receiver = {
  readonly url: string;
  readonly port: number;
  readonly path: string;
  readonly received: readonly Received[];
  /** The types of what came about an object, in order. */
  readonly typesAbout: (objectId: string) => readonly string[];
  /** How it answers from now on: a status, or whatever the function does. */
  answer(how: number | Respond): void;
  close(): Promise<void>;
};

/** Ports are given out anew: what was meant for another receiver, which is gone, would come here. */
const anywhere = () => ({ port: 0, path: `/hooks/${randomUUID()}` });

/** A platform's webhook endpoint, in place of one that is gone or at an address of its own. Answers 200 until told otherwise. */
export async function startReceiver(
  { port, path }: Pick<Receiver, 'port' | 'path'> = anywhere(),
): Promise<Receiver> {
  const received: Received[] = [];
  let respond: Respond = (_received, response) => void response.end();
  const server: Server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const raw = Buffer.concat(chunks);
    const one = { headers: request.headers, raw, body: parseBody(raw), at: performance.now() };
    received.push(one);
    respond(one, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}${path}`,
    port: bound,
    path,
    received,
    typesAbout: (objectId) =>
      received.filter(({ body }) => body.data.id === objectId).map(({ body }) => body.type),
    answer(how) {
      respond = typeof how === 'function' ? how : (_received, response) => void response.writeHead(how).end();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether a call of this webhook ended for want of an answer, as on a busy machine one may: it is made again, as it should. */
export async function hasTakenTooLong(client: Client, webhookId: string): Promise<boolean> {
  const { attemptLog } = expectStatus(await client.get(`/webhooks/events/${webhookId}`), 200);
  return attemptLog.some(({ error }: Json) => error?.startsWith('no answer within'));
}

/** Answers with a status and headers. */
export const answering =
  (status: number, headers: Record<string, string> = {}, text = ''): Respond =>
  (_received, response) =>
    void response.writeHead(status, headers).end(text);
