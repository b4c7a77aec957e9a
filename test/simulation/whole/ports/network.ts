/** HTTP to a process, without a network in between: real requests and answers over a pair of streams. */
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { parseExactly } from '../../../../src/kernel/json.ts';
import type { Json } from '../../../support/http/client.ts';
import { runAs, type SimulatedProcess } from '../engine/process.ts';

export type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};
export type Answer = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
};

export const serverOf = (app: RequestListener): Server => createServer(app);

export function createNetwork() {
  /** Both ends of each connection on which there is no answer yet. */
  const open = new Set<readonly Duplex[]>();
  return {
    /** One request on a connection of its own. */
    async send(process: SimulatedProcess, server: Server, sent: Request): Promise<Answer> {
      const ends = duplexPair();
      open.add(ends);
      const [ours, theirs] = ends;
      runAs(process, () => server.emit('connection', socketLike(theirs)));
      const answer = await answerTo(sent, ours);
      open.delete(ends);
      return answer;
    },
    /** Whoever still waits for an answer gets none. */
    end() {
      for (const ends of open) for (const end of ends) end.destroy();
    },
  };
}

async function answerTo({ body, ...head }: Request, ours: Duplex): Promise<Answer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ createConnection: () => socketLike(ours), ...head });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const type = answer.headers['content-type'] ?? '';
  const isJson = type.startsWith('application/json');
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: isJson ? parseExactly(text) : type.startsWith('text/event-stream') ? text : undefined,
  };
}

/** What HTTP asks of a socket beside being a stream. */
const socketLike = (stream: Duplex): Duplex =>
  Object.assign(stream, {
    remoteAddress: '192.0.2.1',
    setTimeout: () => stream,
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => stream,
    unref: () => stream,
  });
