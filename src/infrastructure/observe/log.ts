import { fileURLToPath } from 'node:url';
import { type LogFn, type Logger, pino } from 'pino';
import { withoutQuote } from '../../kernel/json-fault.ts';
import { redisLackOf } from '../jobs/redis-lack.ts';
import { lackOf } from '../postgres/away.ts';
import { createOutages } from './outages.ts';
import { sinkTo } from './sink.ts';

export type Log = Logger;

const outside = Symbol('outside');

/** For who asks others over a network: an error there is of no store, unless it says so. */
export const logOfOutside = (log: Log, part: string): Log =>
  Object.assign(log.child({ part }), { [outside]: true });

const standardError = 2;
const outagesOf = new WeakMap<Log, ReturnType<typeof createOutages>>();

/** Of a service that has stopped: it asks no store any more, and would take the silence for its coming back. */
export const forgetOutages = (log: Log): void => outagesOf.get(log)?.forget();

/**
 * JSON lines on standard error, or readable lines when that is a terminal. Headers and bodies are never logged, and of
 * an error only what is listed here: libraries hang whole connections on theirs, and the engine quotes what is no JSON.
 * That a store is away is told once, and then counted. `destination` takes the lines in place of standard error.
 */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const outages = createOutages(({ store, further, seconds }) =>
    log.warn(
      { variable: store, further, seconds },
      `${store}: it is back; ${further} more errors were not told`,
    ),
  );
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    hooks: {
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn) {
        const [fields, message, ...rest] = args as [unknown, string?, ...unknown[]];
        const store = outages.complained(fields, outside in this);
        if (store === 'counted') return;
        if (!store) return method.apply(this, args);
        const { store: _store, ...others } = fields as { store?: string; err?: unknown };
        const lack = lackOf(others.err) ?? redisLackOf(others.err);
        const told = `${message}; ${store}${lack ? `: ${lack}` : ' says where it is'}, and further errors are counted`;
        method.apply(this, [{ ...others, variable: store }, told, ...rest] as unknown as Parameters<LogFn>);
      },
    },
  };
  const log = linesTo(options, destination);
  outagesOf.set(log, outages);
  return log;
}

function linesTo(options: pino.LoggerOptions, destination: { write(line: string): void } | undefined): Log {
  if (destination) return pino(options, destination);
  if (process.stderr.isTTY !== true)
    return pino(options, options.level === 'silent' ? undefined : sinkTo(standardError));
  const target = fileURLToPath(new URL('./terminal.ts', import.meta.url));
  return pino({ ...options, transport: { target, options: { destination: standardError } } });
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return {
    type: name,
    message: withoutQuote(message),
    ...code,
    stack: stack && withoutQuote(stack),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
