/** One call to a receiver that a platform has named. It always comes back with an outcome, within its time. */
import {
  type AgentOptions,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { guardedLookup, type OutgoingRules, whyRefused } from '../../infrastructure/outgoing/outgoing.ts';
import { rememberNewest } from '../../infrastructure/remembered/newest.ts';
import type { SignedCall } from './envelope.ts';

/** This much of an answer is kept, and read where nothing else is asked for. */
export const excerptMaxBytes = 2_048;
/** And for so long, from when its head is there, within the time of the call. */
export const excerptMaxMs = 2_000;
/** Of an answer's head. */
const headMaxBytes = 16_384;
/** Of what may come before it and is passed over: heads that say to wait, and empty lines. */
export const waitingMaxBytes = 65_536;
/** How long a connection is kept for the next call to its receiver. */
export const usualKeptMs = 30_000;
/** Of one receiver, so many: as many calls as there are at a time to one that answers promptly. */
const keptMax = 32;
/** Addresses that are remembered with what there is to know of them. */
export const rememberedMax = 10_000;

export type Call = SignedCall & {
  readonly url: string;
  readonly timeoutMs: number;
  /** Plain http is for the sandbox. */
  readonly allowHttp: boolean;
  /** Where it matters what the answer says: how much of it is read. */
  readonly answerMaxBytes?: number;
  /** Over a connection of its own: on one that was kept open, a call that fails may not have come, and is made again. */
  readonly once?: boolean;
};

/** `status` is missing, and `error` there, when no answer came. */
export type Outcome = {
  readonly status?: number;
  readonly latencyMs: number;
  /** The beginning of the answer's body. */
  readonly excerpt?: string;
  /** The whole body, where it was asked for, came to its end and is not longer than may be read. */
  readonly text?: string;
  readonly retryAfter?: string;
  readonly error?: string;
  /** The time was up. */
  readonly timedOut?: true;
};

export type Sender = { readonly send: (call: Call) => Promise<Outcome>; readonly close: () => void };

type Rules = Pick<OutgoingRules, 'allowPrivate'> & { readonly keptMs?: number };

export function createSender({ allowPrivate, keptMs = usualKeptMs }: Rules): Sender {
  const lookup = guardedLookup({ allowPrivate });
  const kept = agentsOf({ keepAlive: true, scheduling: 'lifo', timeout: keptMs, maxFreeSockets: keptMax });
  const fresh = agentsOf({ keepAlive: false });
  const targets = rememberNewest<string, Target>(rememberedMax);
  const targetOf = (url: string, allowHttp: boolean): Target => {
    const key = `${allowHttp} ${url}`;
    const known = targets.get(key);
    if (known) return known;
    const target = parseTarget(url, { allowPrivate, allowHttp });
    targets.set(key, target);
    return target;
  };
  const open = ({ secure, address }: Place, headers: OutgoingHttpHeaders, once: boolean): ClientRequest => {
    const request = { ...address, method: 'POST', headers, lookup, maxHeaderSize: headMaxBytes };
    const agents = once ? fresh : kept;
    return secure
      ? httpsRequest({ ...request, agent: agents.https })
      : httpRequest({ ...request, agent: agents.http });
  };

  /** A call that is made again is of the same attempt: it has the time that is left. */
  const send = async (call: Call, started: number, mayRepeat = true): Promise<Outcome> => {
    const latency = () => ({ latencyMs: Math.round(performance.now() - started) });
    const target = targetOf(call.url, call.allowHttp);
    if ('refused' in target) return { ...latency(), error: `the endpoint ${target.refused}` };
    const { promise, resolve } = Promise.withResolvers<Outcome | 'repeat'>();
    const headers = { ...call.headers, 'content-length': call.body.length };
    const request = open(target, headers, call.once === true);
    let answer: IncomingMessage | undefined;
    let timedOut = false;
    const cut = () => {
      // A status counts even when its body does not come to an end: what has come of it is kept.
      if (answer) return answer.destroy();
      resolve({ ...latency(), error: `no answer within ${call.timeoutMs} ms`, timedOut: true });
      return request.destroy();
    };
    const timeUp = () => {
      timedOut = true;
      cut();
    };
    const timers = [setTimeout(timeUp, call.timeoutMs - (performance.now() - started))];
    request.once('response', (response) => {
      answer = response;
      if (call.answerMaxBytes === undefined) timers.push(setTimeout(cut, excerptMaxMs));
      readBody(response, call.answerMaxBytes, (body) =>
        resolve({ ...answerOf(response), ...body, ...latency(), ...(timedOut && { timedOut }) }),
      );
    });
    // What follows such a head is not HTTP any more.
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ ...answerOf(response), ...latency() });
    });
    request.once('socket', (socket) => {
      let came = 0;
      const count = ({ length }: Buffer) => {
        came += length;
        if (!answer && came > waitingMaxBytes) request.destroy(new Error(noAnswerYet));
      };
      socket.on('data', count);
      request.once('close', () => socket.off('data', count));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (answer) return void answer.destroy();
      // The receiver closed a connection that was kept open just when it was used again.
      const stale = mayRepeat && request.reusedSocket && error.code === 'ECONNRESET';
      resolve(stale ? 'repeat' : { ...latency(), error: describe(error) });
    });
    request.end(call.body);
    const outcome = await promise;
    for (const timer of timers) clearTimeout(timer);
    return outcome === 'repeat' ? send(call, started, false) : outcome;
  };

  return {
    send: (call) => send(call, performance.now()),
    close() {
      for (const { http, https } of [kept, fresh]) {
        http.destroy();
        https.destroy();
      }
    },
  };
}

const noAnswerYet = `more than ${waitingMaxBytes} bytes came before the head of an answer`;

const agentsOf = (options: AgentOptions) => ({
  http: new HttpAgent(options),
  https: new HttpsAgent(options),
});

/** Where an address leads; the name in it is resolved, and what it resolves to checked, for each connection. */
type Place = { readonly secure: boolean; readonly address: RequestOptions };
type Target = Place | { readonly refused: string };

function parseTarget(url: string, rules: OutgoingRules): Target {
  const refused = whyRefused(url, rules);
  if (refused) return { refused };
  const parsed = new URL(url);
  return { secure: parsed.protocol === 'https:', address: urlToHttpOptions(parsed) };
}

const answerOf = ({ statusCode = 0, headers }: IncomingMessage): Pick<Outcome, 'status' | 'retryAfter'> => {
  const retryAfter = headers['retry-after'];
  return { status: statusCode, ...(retryAfter !== undefined && { retryAfter }) };
};

/** Reads no more than it may, then lets go of the connection. The status has arrived, and that is what counts for most. */
function readBody(
  response: IncomingMessage,
  answerMaxBytes: number | undefined,
  done: (body: Pick<Outcome, 'excerpt' | 'text'>) => void,
): void {
  const maxBytes = answerMaxBytes ?? excerptMaxBytes;
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) response.destroy();
  });
  response.on('error', () => undefined);
  response.once('close', () => {
    const body = Buffer.concat(chunks);
    const isWhole = answerMaxBytes !== undefined && response.complete && size <= answerMaxBytes;
    done({ excerpt: textOf(body.subarray(0, excerptMaxBytes)), ...(isWhole && { text: textOf(body) }) });
  });
}

const decoder = new TextDecoder();
/** Postgres keeps no text with a NUL. */
const withoutNul = (text: string) => text.replaceAll('\u0000', '\uFFFD');
const textOf = (bytes: Buffer) => (bytes.length === 0 ? '' : withoutNul(decoder.decode(bytes)));

function describe(error: NodeJS.ErrnoException): string {
  if (error.name === 'AggregateError') return error.code ?? 'no address could be reached';
  return withoutNul(error.message.slice(0, 200));
}
