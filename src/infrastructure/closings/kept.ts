/** The closings that are kept, as they stand in their tables: for whoever checks them. */
import type { FilterPart } from '../../kernel/growing-filter.ts';
import type { Pool } from '../postgres/pool.ts';
import type { Book, ClosingText } from './closings.ts';
import { digestOf, type PartRow, partOf } from './postgres.ts';

export type KeptClosing = ClosingText & {
  readonly previous: number | undefined;
  /** Whether nobody has changed it since it was made. */
  readonly isSealed: boolean;
};

export type KeptClosings = {
  /** How many there are, of all streams and versions. */
  count(): Promise<number>;
  /** The books that have any, after one in the order of streams and versions. */
  books(after: Book | undefined, most: number): Promise<readonly Book[]>;
  /** How many a book has. */
  countOf(book: Book): Promise<number>;
  /** Those of a book after a revision, in order. */
  of(book: Book, after: number, most: number): Promise<readonly KeptClosing[]>;
  /** What was written for keys since the closing before the one at a revision. */
  valuesAt(book: Book, revision: number): Promise<ReadonlyMap<string, string>>;
  filterOf(book: Book): Promise<readonly FilterPart[]>;
};

type Row = {
  readonly revision: string | bigint;
  readonly event_id: string;
  readonly previous: string | bigint | null;
  readonly state: string;
  readonly digest: string;
};

export function keptClosings(pool: Pool): KeptClosings {
  const countBy = async (where: string, values: readonly unknown[]) => {
    const text = `select count(*)::int as n from closings ${where}`;
    const { rows } = await pool.query<{ n: number }>(text, [...values]);
    return rows[0]?.n ?? 0;
  };
  return {
    count: () => countBy('', []),
    countOf: ({ stream, version }) => countBy('where stream = $1 and version = $2', [stream, version]),
    async books(after, most) {
      const { rows } = await pool.query<Book>(
        `select distinct stream, version from closings
         where $1::text is null or (stream, version) > ($1, $2) order by stream, version limit $3`,
        [after?.stream ?? null, after?.version ?? 0, most],
      );
      return rows;
    },
    async of(book, after, most) {
      const { rows } = await pool.query<Row>(
        `select revision, event_id, previous, state, digest from closings
         where stream = $1 and version = $2 and revision > $3 order by revision limit $4`,
        [book.stream, book.version, after, most],
      );
      return rows.map(({ revision, event_id, previous, state, digest }) => {
        const closing = { revision: Number(revision), eventId: event_id, state };
        const before = previous === null ? undefined : Number(previous);
        return { ...closing, previous: before, isSealed: digest === digestOf(book, closing) };
      });
    },
    async valuesAt({ stream, version }, revision) {
      const { rows } = await pool.query<{ key: string; value: string }>(
        'select key, value from closed_values where stream = $1 and version = $2 and revision = $3',
        [stream, version, revision],
      );
      return new Map(rows.map(({ key, value }) => [key, value]));
    },
    async filterOf({ stream, version }) {
      const { rows } = await pool.query<PartRow>(
        'select part, keys, bits from closing_filters where stream = $1 and version = $2 order by part',
        [stream, version],
      );
      return rows.map(partOf);
    },
  };
}
