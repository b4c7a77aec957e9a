/** A service of the operator's: Daybook asks it over HTTP, it posts what it has to tell to Daybook, and both sign. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isSigned, signedHeaders } from '../../../../../src/infrastructure/secrets/signed-message.ts';
import type { Random } from '../../../random.ts';
import type { SimulatedProcess } from '../../engine/process.ts';
import type { Faults } from '../../faults.ts';
import type { Answer, Request } from '../network.ts';
import { otherSecret } from './addresses.ts';
import type { End } from './connection.ts';
import type { Place, Places } from './route.ts';

const longAgoMs = 600_000;
/** Longer than most of those who ask wait. */
const partsMaxMs = 15_000;

export type Known = {
  readonly address: string;
  /** Nobody has told a process of it but an answer. */
  readonly otherAddress: string;
  /** With which a process and the service sign what they say to each other. */
  readonly secret: string;
  /** Where it posts what it has to tell. */
  readonly events: string;
};

export type Elsewhere = {
  readonly faults: Pick<Faults, 'strikes'>;
  readonly random: Random;
  readonly now: () => number;
  readonly newId: () => string;
  /** Asks one of the processes that take requests, if there is any; nothing comes back where nobody has answered. */
  readonly post: (request: Request) => Promise<Answer | undefined>;
};

type Service = Known & {
  readonly party: 'screening' | 'rail';
  /** What it answers to a question, and what stands in an answer that is none. */
  readonly answer: (process: SimulatedProcess, question: string) => Promise<AnswerAndOther>;
  /** What comes in place of an answer. */
  readonly unreadable: readonly string[];
  /** Writes down what nobody may do. */
  readonly complain: (why: string) => void;
};
export type AnswerAndOther = readonly [answer: object, other: object];

export type SignedService = ReturnType<typeof signedService>;

export function signedService(
  { faults, random, now, newId, post }: Elsewhere,
  { party, address, otherAddress, secret, events, answer, unreadable, complain }: Service,
) {
  const clock = () => new Date(now());
  const elsewhere = `http://${otherAddress}/asked`;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const end = request.socket as unknown as End;
    const body = await bytesOf(request);
    if (!isSigned(secret, headersOf(request), body, clock())) complain('a question is not signed');
    try {
      const both = await answer(end.process, body.toString());
      if (!end.destroyed) reply(response, both, end.reset);
    } catch {
      end.reset();
    }
  };
  const reply = (response: ServerResponse, [it, other]: AnswerAndOther, reset: () => void): void => {
    // What an answer without a good status has to say is no answer.
    if (faults.strikes(`${party} answers 500`))
      return void response.writeHead(500).end(JSON.stringify(other));
    if (faults.strikes(`${party} answers 429`))
      return void response.writeHead(429, { 'retry-after': '7' }).end(JSON.stringify(other));
    if (faults.strikes(`${party} sends on to elsewhere`))
      return void response.writeHead(random.pick([301, 303, 307, 308]) ?? 302, { location: elsewhere }).end();
    if (faults.strikes(`${party} answers what nobody can read`))
      return void response.end(random.pick(unreadable));
    const whole = Buffer.from(JSON.stringify(it));
    const half = whole.length / 2;
    const begin = () =>
      response.writeHead(200, { 'content-length': whole.length }).write(whole.subarray(0, half));
    if (faults.strikes(`answer of the ${party} breaks off`)) {
      begin();
      return void setTimeout(reset, random.below(partsMaxMs));
    }
    if (faults.strikes(`answer of the ${party} comes in parts`)) {
      begin();
      return void setTimeout(() => response.end(whole.subarray(half)), random.below(partsMaxMs));
    }
    response.setHeader('connection', random.chance(0.5) ? 'close' : 'keep-alive');
    response.end(whole);
  };
  const server = createServer((request, response) => {
    // Who asks may be gone before the question is there.
    serve(request, response).catch(() => undefined);
  });

  const send = async (event: object, by = secret, sentAt = clock()): Promise<number | undefined> => {
    const body = JSON.stringify(event);
    const headers = {
      ...signedHeaders(by, { id: newId(), sentAt }, Buffer.from(body)),
      'content-type': 'application/json',
      connection: 'close',
    };
    return (await post({ method: 'POST', path: events, headers, body }))?.status;
  };
  const here: Place = {
    isThere: () => !faults.strikes(`${party} is not there`),
    accept: (theirs) => void server.emit('connection', theirs),
  };
  const other: Place = {
    isThere() {
      complain('it is asked for at an address that nobody has given');
      return false;
    },
    accept: () => undefined,
  };
  const places: Places = new Map([
    [address, here],
    [otherAddress, other],
  ]);
  return {
    url: `http://${address}/asked`,
    places,
    /** The status that it is answered with, if it is. */
    send: (event: object) => send(event),
    /** Posts it as somebody else would, or as it was said long ago: no process may take it. */
    async sendUnsigned(event: object): Promise<void> {
      const longAgo = new Date(now() - longAgoMs);
      const status = await (random.chance(0.5) ? send(event, otherSecret) : send(event, secret, longAgo));
      if (status === 200) complain(`what was not signed is answered 200: ${JSON.stringify(event)}`);
    },
    /** Posts it, although nobody can read it. */
    async sendUnreadable(event: object): Promise<void> {
      const status = await send(event);
      if (status === 200) complain(`what nobody can read is answered 200: ${JSON.stringify(event)}`);
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
