/**
 * What comes to the door and is no request that could be worked on. It is refused in the form of all other refusals, with
 * nothing of what was sent, and its connection ends. The log has no line of it: whoever sends such things would fill it.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { idOf, systemIds } from '../../../kernel/ids.ts';
import type { Problem } from '../problem.ts';

/** What is taken behind a refusal, so that a caller who sends first and reads then comes to reading. */
const lingeringBytes = 1024 * 1024;
const lingeringMs = 1_000;

const formatProblem = (status: number, message: string): Problem => ({
  status,
  code: 'INVALID_REQUEST_FORMAT',
  message,
});

const notHttp = formatProblem(400, 'What was sent is not a request of HTTP.');
const withoutHost = formatProblem(400, 'The header Host is missing.');
const expectsMore = formatProblem(417, 'Nothing but 100-continue can be expected.');

/** By what Node calls them. */
const problems: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: formatProblem(431, 'The path and the headers are longer than 16 KiB.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: formatProblem(
    413,
    'The chunks of the body have extensions that are too long.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: formatProblem(408, 'The request did not come in time.'),
};

/** `undefined` for what ends the connection by itself. */
function problemOf(error: Error): Problem | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return problems[code] ?? (code.startsWith('HPE_') ? notHttp : undefined);
}

const newId = (): string => idOf('Request', systemIds.uuid());

/** Answers, as the last on its connection, and without looking at what the request asks for. */
export function refuse(
  res: ServerResponse,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
) {
  const body = JSON.stringify(problem);
  res.shouldKeepAlive = false;
  res.writeHead(problem.status, { ...headersOf(body, newId()), ...headers });
  res.end(body);
}

const headersOf = (body: string, requestId: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  'Cache-Control': 'no-store',
  'X-Request-Id': requestId,
});

/** Whether the request has been refused: it lacks what each has to have, or expects what nobody does. */
export function refuseUnfit(req: IncomingMessage, res: ServerResponse): boolean {
  const { httpVersion, headers } = req;
  if (httpVersion !== '1.1') return false;
  const problem = headers.host === undefined ? withoutHost : unmet(headers.expect) ? expectsMore : undefined;
  if (problem) refuse(res, problem);
  return problem !== undefined;
}

const unmet = (expect: string | undefined): boolean =>
  expect !== undefined && !/(?:^|\W)100-continue(?:$|\W)/i.test(expect);

/**
 * Ends a connection on which something else came than a request. `resOn` finds the answer that is under way there: it is
 * the last, and none goes before it.
 */
export function refusing(resOn: (socket: Socket) => ServerResponse | undefined) {
  const readWhenRefused = new WeakMap<Socket, number>();
  return (error: Error, socket: Socket): void => {
    const refusedAt = readWhenRefused.get(socket);
    if (refusedAt !== undefined) {
      if (socket.bytesRead - refusedAt > lingeringBytes) socket.destroy();
      return;
    }
    const problem = problemOf(error);
    if (!problem || !socket.writable) return void socket.destroy();
    const res = resOn(socket);
    if (res?.headersSent) return void socket.destroy();
    if (res?.req.complete) {
      res.shouldKeepAlive = false;
      socket.pause();
      return;
    }
    readWhenRefused.set(socket, socket.bytesRead);
    socket.end(textOf(problem, res?.getHeader('X-Request-Id')));
    const timer = setTimeout(() => socket.destroy(), lingeringMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

function textOf(problem: Problem, requestId: unknown): string {
  const { status } = problem;
  const body = JSON.stringify(problem);
  const id = typeof requestId === 'string' ? requestId : newId();
  const headers = { ...headersOf(body, id), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
