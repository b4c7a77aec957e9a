import { destination, type Logger, pino } from 'pino';

export type Log = Logger;

const togetherBytes = 4_096;
const togetherMs = 100;

/**
 * JSON lines on standard error, or readable lines when that is a terminal. Headers and bodies are never logged, and of
 * an error only what is listed here: libraries hang whole connections on theirs.
 */
export function createLog(level: string): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  if (process.stderr.isTTY !== true) return pino(options, level === 'silent' ? undefined : toStderr());
  return pino({ ...options, transport: { target: 'pino-pretty', options: { destination: 2 } } });
}

/** Lines are written together, a moment later: a request does not wait for its log line. Ends of processes do. */
function toStderr() {
  const stream = destination({ dest: 2, sync: false, minLength: togetherBytes });
  setInterval(() => stream.flush(), togetherMs).unref();
  process.once('exit', () => stream.flushSync());
  return stream;
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return {
    type: name,
    message,
    ...code,
    stack,
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
