/** Rows into a table by `COPY … FROM STDIN`, in Postgres' text format. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { arrayText, type Element } from './arrays.ts';
import type { Pool } from './pool.ts';

export type CopyColumn = {
  readonly name: string;
  /** As `format_type` names it. */
  readonly type: string;
};

type Row = Readonly<Record<string, unknown>>;

export type Copying = {
  /** Quoted, with its schema. */
  readonly table: string;
  readonly columns: readonly CopyColumn[];
  readonly rows: Iterable<Row>;
};

/** Characters after which a message is sent. */
const chunkMin = 65_536;

/** Adds the rows, all or none. They are encoded as the connection takes them. */
export async function copyRows(pool: Pool, { table, columns, rows }: Copying): Promise<void> {
  const names = columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
  const client = await pool.connect();
  try {
    await new Promise<void>((resolve, reject) => {
      const text = `copy ${table} (${names}) from stdin`;
      client.query(copyFrom(text, chunksOf(columns, rows), (error) => (error ? reject(error) : resolve())));
    });
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** What `pg` has on a connection for COPY, which its types do not name. */
type CopyConnection = {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

/** The calls that a client of `pg` makes on what it is given as a query. */
function copyFrom(text: string, chunks: Iterable<string>, done: (error?: Error) => void) {
  let failed: Error | undefined;
  const send = async (connection: CopyConnection) => {
    try {
      for (const chunk of chunks) {
        if (failed) return;
        connection.sendCopyFromChunk(Buffer.from(chunk));
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    } catch (error) {
      failed = error as Error;
      connection.sendCopyFail('the rows cannot be encoded');
    }
  };
  return {
    submit: (connection: pg.Connection) => connection.query(text),
    handleCopyInResponse: (connection: CopyConnection) => void send(connection),
    handleError(error: Error) {
      failed ??= error;
      done(failed);
    },
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => done(failed),
  };
}

function* chunksOf(columns: readonly CopyColumn[], rows: Iterable<Row>): Generator<string> {
  const encoders = columns.map(({ name, type }) => ({ name, encode: encoderOf(type) }));
  let text = '';
  for (const row of rows) {
    let separator = '';
    for (const { name, encode } of encoders) {
      text += separator + textOf(row[name], encode);
      separator = '\t';
    }
    text += '\n';
    if (text.length < chunkMin) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

type Encode = (value: unknown) => string;

const textOf = (value: unknown, encode: Encode): string =>
  value === null || value === undefined ? '\\N' : encode(value);

function encoderOf(type: string): Encode {
  if (type === 'json' || type === 'jsonb') return (value) => escaped(JSON.stringify(value));
  if (type.endsWith('[]')) return (value) => escaped(arrayText(value as readonly Element[]));
  if (type.startsWith('timestamp')) return (value) => (value as Date).toISOString();
  return (value) => (typeof value === 'string' ? escaped(value) : String(value));
}

const special = /[\\\n\r\t]/;
const replacements: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const escaped = (text: string): string =>
  special.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => replacements[character] ?? '') : text;
