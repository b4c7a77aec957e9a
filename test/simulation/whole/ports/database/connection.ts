/** A connection to Postgres, from the inside of its client. */
import { type EventEmitter, once } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

// biome-ignore lint/suspicious/noExplicitAny: whatever is asked of the database, in any of its forms
type Any = any;
export type Client = pg.Client & {
  readonly processID?: number;
  readonly readyForQuery?: boolean;
  readonly connection: EventEmitter & { readonly stream: Duplex };
};

/** Another connection of the same kind, whose end nobody waits for. */
export async function bearerLike(client: Client): Promise<Client> {
  const { user, password, host, port, database, options } = (client as Any).connectionParameters;
  const bearer = new pg.Client({ user, password, host, port, database, options }) as Client;
  bearer.on('error', () => undefined);
  await bearer.connect();
  return bearer;
}

/** The server's own, in real time; those of the client are in that of the life. */
export const deadlines =
  /-c (statement_timeout|idle_in_transaction_session_timeout|client_connection_check_interval)=\d+ ?/g;

const deadline = /^set (local )?\w*timeout\b/i;
const deadlineOfTransaction = /(?<=^set local (lock|idle_in_transaction_session)_timeout = )\d+$/;

export function withoutDeadline(text: string): string {
  if (!deadline.test(text)) return text;
  const off = text.replace(deadlineOfTransaction, '0');
  if (off === text) throw new Error(`nobody knows this deadline: ${text}`);
  return off;
}

export const application = (client: Client): string =>
  (client as Any).connectionParameters.application_name ?? '';

/** The server tells of an error before it lets go of what the statement holds. */
export async function isDoneWith({ connection, readyForQuery }: Client): Promise<void> {
  if (readyForQuery || connection.stream.destroyed) return;
  const over = new AbortController();
  const told = ['readyForQuery', 'end'].map((event) => once(connection, event, { signal: over.signal }));
  await Promise.race(told).catch(() => undefined);
  over.abort();
  await Promise.allSettled(told);
}

export const lost = () =>
  Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
export const fullDisk = () =>
  Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });
