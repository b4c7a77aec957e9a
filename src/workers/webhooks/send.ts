/** One call to a receiver that a platform has named. It always comes back with an outcome, within its time. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { guardedLookup, type OutgoingRules, whyRefused } from '../../infrastructure/outgoing.ts';
import type { SignedCall } from './envelope.ts';

/** This much of an answer is read and kept. */
const excerptMaxBytes = 2_048;
const socketsPerHostMax = 32;

export type Call = SignedCall & {
  readonly url: string;
  readonly timeoutMs: number;
  /** Plain http is for the sandbox. */
  readonly allowHttp: boolean;
};

/** `status` is missing, and `error` there, when no answer came. */
export type Outcome = {
  readonly status?: number;
  readonly latencyMs: number;
  /** The beginning of the answer's body. */
  readonly excerpt?: string;
  readonly retryAfter?: string;
  readonly error?: string;
  /** The time was up. */
  readonly timedOut?: true;
};

export type Sender = { readonly send: (call: Call) => Promise<Outcome>; readonly close: () => void };

export function createSender({ allowPrivate }: Pick<OutgoingRules, 'allowPrivate'>): Sender {
  const lookup = guardedLookup({ allowPrivate });
  const options = { keepAlive: true, maxSockets: socketsPerHostMax, scheduling: 'lifo' as const };
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };

  const send = async (call: Call, mayRepeat = true): Promise<Outcome> => {
    const started = performance.now();
    const latency = () => ({ latencyMs: Math.round(performance.now() - started) });
    const refused = whyRefused(call.url, { allowPrivate, allowHttp: call.allowHttp });
    if (refused) return { ...latency(), error: `the endpoint ${refused}` };
    const { promise, resolve } = Promise.withResolvers<Outcome | 'repeat'>();
    const url = new URL(call.url);
    const secure = url.protocol === 'https:';
    const headers = { ...call.headers, 'content-length': String(call.body.length) };
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers,
      lookup,
      agent: secure ? agents['https:'] : agents['http:'],
    });
    let answer: IncomingMessage | undefined;
    const timer = setTimeout(() => {
      // A status counts even when its body does not come to an end.
      if (answer) resolve({ ...answerOf(answer), ...latency() });
      else resolve({ ...latency(), error: `no answer within ${call.timeoutMs} ms`, timedOut: true });
      request.destroy();
    }, call.timeoutMs);
    request.once('response', (response) => {
      answer = response;
      readExcerpt(response).then((excerpt) => resolve({ ...answerOf(response), excerpt, ...latency() }));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The receiver closed a connection that was kept open just when it was used again.
      const stale = mayRepeat && request.reusedSocket && error.code === 'ECONNRESET';
      resolve(stale ? 'repeat' : { ...latency(), error: describe(error) });
    });
    request.end(call.body);
    const outcome = await promise.finally(() => clearTimeout(timer));
    return outcome === 'repeat' ? send(call, false) : outcome;
  };

  return {
    send: (call) => send(call),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

const answerOf = ({ statusCode = 0, headers }: IncomingMessage): Pick<Outcome, 'status' | 'retryAfter'> => {
  const retryAfter = headers['retry-after'];
  return { status: statusCode, ...(retryAfter !== undefined && { retryAfter }) };
};

/** Reads at most as much as is kept, then lets go of the connection. */
async function readExcerpt(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= excerptMaxBytes) break;
    }
  } catch {
    // The status has arrived, and that is what counts.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, excerptMaxBytes));
  return text.replaceAll('\u0000', '\uFFFD');
}

function describe(error: NodeJS.ErrnoException): string {
  if (error.name === 'AggregateError') return error.code ?? 'no address could be reached';
  return error.message.slice(0, 200);
}
