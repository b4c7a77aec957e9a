import { type Logger, pino } from 'pino';
import { sinkTo } from './sink.ts';

export type Log = Logger;

const standardError = 2;

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
  if (process.stderr.isTTY !== true)
    return pino(options, level === 'silent' ? undefined : sinkTo(standardError));
  return pino({ ...options, transport: { target: 'pino-pretty', options: { destination: 2 } } });
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
