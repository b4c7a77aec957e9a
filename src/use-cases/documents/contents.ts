/**
 * What documents contain, in pieces, in a table beside the log. A content is written first, then claimed for a document,
 * then named by the document's event. The log decides: a content that no document names after an hour was cut short,
 * and goes; one that was replaced or deleted goes at once.
 */
import type { DomainEvent } from '../../domain/aggregates.ts';
import type { UploadStore } from '../../infrastructure/http/uploads/keep-file.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { oneAtATime } from '../../infrastructure/scheduling/one-at-a-time.ts';
import { type DocumentId, type Ids, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';

const abandonedAfterMs = 3_600_000;
const sweptAtOnceMax = 100;

type Deps = {
  readonly pool: Pool;
  readonly commands: Pick<Commands, 'load'>;
  readonly ids: Ids;
  readonly now: () => Date;
};

export type DocumentContents = UploadStore & {
  /** Says which document is about to name the content. */
  readonly claim: (contentId: string, documentId: DocumentId) => Promise<void>;
  /** Removes what a document has given up. Safe to repeat. */
  readonly tidy: (event: DomainEvent) => Promise<void> | undefined;
  /** Keeps a content that its document names by now, and removes any other. */
  readonly settle: (contentId: string) => Promise<void>;
  /** Removes what was cut short, and returns how many. */
  readonly sweep: () => Promise<number>;
};

type Row = { readonly id: string; readonly document_id: DocumentId | null };

export function createDocumentContents({ pool, commands, ids, now }: Deps): DocumentContents {
  const drop = async (id: string): Promise<void> => {
    await pool.query('delete from document_contents where id = $1', [id]);
  };

  /** Keeps the content where its document names it, and removes it otherwise. */
  const settle = async ({ id, document_id: documentId }: Row): Promise<boolean> => {
    const document = documentId && (await commands.load('document', uuidOf(documentId)));
    const isNamed = document && document.status === 'kept' && document.details.contentId === id;
    if (isNamed) await pool.query('update document_contents set is_kept = true where id = $1', [id]);
    else await drop(id);
    return !isNamed;
  };

  /** Pieces: many at a time that are large would keep what is small from the connections. */
  const inTurn = oneAtATime();

  const settleOne = async (id: string) => {
    const { rows } = await pool.query<Row>('select id, document_id from document_contents where id = $1', [
      id,
    ]);
    for (const row of rows) await settle(row);
  };

  return {
    async begin() {
      const id = ids.uuid();
      const insert = 'insert into document_contents (id, is_kept, created_at) values ($1, false, $2)';
      await pool.query(insert, [id, now()]);
      return id;
    },
    append: (id, n, bytes) =>
      inTurn(async () => {
        const insert = 'insert into document_chunks (content_id, n, bytes) values ($1, $2, $3)';
        await pool.query(insert, [id, n, bytes]);
      }),
    discard: settleOne,
    settle: settleOne,
    async claim(id, documentId) {
      await pool.query('update document_contents set document_id = $2 where id = $1', [id, documentId]);
    },
    tidy(event) {
      const isGivenUp = event.type === 'DocumentReplaced' || event.type === 'DocumentDeleted';
      return isGivenUp ? drop(event.data.formerContentId) : undefined;
    },
    async sweep() {
      const { rows } = await pool.query<Row>(
        'select id, document_id from document_contents where not is_kept and created_at < $1 limit $2',
        [new Date(now().getTime() - abandonedAfterMs), sweptAtOnceMax],
      );
      const removed = await Promise.all(rows.map(settle));
      return removed.filter(Boolean).length;
    },
  };
}
