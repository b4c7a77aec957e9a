/** How the log looks on a terminal: a request is one line in columns. Runs in a thread of its own, as pino wants it. */
import { build, type PrettyOptions, prettyFactory } from 'pino-pretty';

type Line = Readonly<Record<string, unknown>>;
type Painter = Readonly<Record<'green' | 'yellow' | 'red' | 'gray' | 'cyan', (text: string) => string>>;

/** Those of a request, which stand in its columns. */
const columns = 'requestId,method,path,operationId,status,ms,platformId';

/** `POST   201     7 ms  createCustomer  /2025-10-13/customers  Request:…`. */
function lineOf(line: Line, messageKey: string, paint: Painter): string {
  const { method, status, ms, operationId, path, requestId } = line;
  if (status === undefined || method === undefined) return String(line[messageKey] ?? '');
  const done = Number(status);
  const colour = done < 400 ? paint.green : done < 500 ? paint.yellow : paint.red;
  return [
    String(method).padEnd(6),
    colour(String(status)),
    `${ms} ms`.padStart(8),
    paint.cyan(String(operationId ?? '-').padEnd(30)),
    path,
    paint.gray(String(requestId)),
  ].join(' ');
}

const shown: PrettyOptions = {
  translateTime: 'SYS:HH:MM:ss.l',
  ignore: `pid,hostname,${columns}`,
  messageFormat: (line, messageKey, _level, { colors }) => lineOf(line, messageKey, colors),
};

/** The lines that `text` is, as they look. */
export const pretty = (line: string, colorize: boolean): string =>
  prettyFactory({ ...shown, colorize })(line);

/** Called by pino in its thread. */
export default (options: { readonly destination: number }) => build({ ...shown, colorize: true, ...options });
