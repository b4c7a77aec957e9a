/**
 * The log of requests. A request leaves its row, and of some of them their bodies: nothing is read of these, or written,
 * before the next batch, in which the rows of many requests are one statement.
 */
import type { RequestBodiesRow, RequestLogRow } from '../../../../projections/tables/request-log.ts';
import type { PlatformId, RequestId } from '../../../kernel/ids.ts';
import { parseExactly, stringify } from '../../../kernel/json.ts';
import { tokenOfActor } from '../../../use-cases/tokens/living.ts';
import { idsOf, type Redaction, redactionBy } from './redact.ts';

/** So many requests wait for the next batch; what comes beyond them is counted, and not kept. */
export const waitingMax = 5_000;
/** A body that is longer is not kept. */
export const bodyBytesMax = 16 * 1024;
/** As much of an answer is searched for the ids that its row has, in characters: one thing is less. */
export const searchedMax = 4 * 1024;
/** Of the bodies that wait. */
const bytesMax = 8 * 1024 * 1024;
/** Of one batch: those of further requests are not kept, unless they were refused. */
export const bodiesPerBatch = 100;
const refusedPerBatch = 200;
const rowsPerStatement = 1_000;

/** A request that was answered. */
export type Answered = {
  readonly requestId: string;
  readonly platformId: string;
  readonly actor: string;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly status: number;
  readonly ms: number;
  readonly key: string | undefined;
  /** With what follows the question mark. */
  readonly url: string;
  readonly requestBody: unknown;
  readonly responseText: string | undefined;
};

type Bodies = Pick<Answered, 'requestId' | 'url' | 'status' | 'requestBody' | 'responseText'> & {
  readonly isTooLong: boolean;
};
type Waiting = { readonly row: RequestLogRow; readonly bodies: Bodies | undefined };

export type RequestLog = {
  readonly note: (answered: Answered) => void;
  /** Writes what waits. Rejects where it could not: that is lost, and counted. */
  readonly write: () => Promise<void>;
};

type Deps = {
  readonly insert: (rows: readonly RequestLogRow[], bodies: readonly RequestBodiesRow[]) => Promise<void>;
  readonly dropped: (count: number) => void;
  /** Those of the interface's enumerations. Asked for once, when there is something to show. */
  readonly words: () => ReadonlySet<string>;
};

export function createRequestLog({ insert, dropped, words }: Deps): RequestLog {
  let redaction: Redaction | undefined;
  let waiting: Waiting[] = [];
  let bytes = 0;
  let bodies = 0;

  return {
    note(answered) {
      if (waiting.length >= waitingMax) return dropped(1);
      const { requestBody, responseText = '', status } = answered;
      const sent = requestBody instanceof Uint8Array ? requestBody.length : 0;
      const isRoom = bytes + sent + responseText.length <= bytesMax;
      const hasBodies = isRoom && bodies < (status < 400 ? bodiesPerBatch : refusedPerBatch);
      // What was said need not stay in memory for the row.
      const row = rowOf(answered, responseText.slice(0, searchedMax));
      if (!hasBodies) return void waiting.push({ row, bodies: undefined });
      const [isSentKept, isAnswerKept] = [sent <= bodyBytesMax, responseText.length <= bodyBytesMax];
      bodies += 1;
      bytes += (isSentKept ? sent : 0) + (isAnswerKept ? responseText.length : 0);
      const { requestId, url } = answered;
      const kept = {
        requestId,
        url,
        status,
        requestBody: isSentKept ? requestBody : undefined,
        responseText: isAnswerKept ? responseText : undefined,
        isTooLong: !isSentKept || !isAnswerKept,
      };
      waiting.push({ row, bodies: kept });
    },
    async write() {
      const batch = waiting;
      if (batch.length === 0) return;
      [waiting, bytes, bodies] = [[], 0, 0];
      redaction ??= redactionBy(words());
      const known = redaction;
      for (let from = 0; from < batch.length; from += rowsPerStatement) {
        const some = batch.slice(from, from + rowsPerStatement);
        const said = some.flatMap(({ bodies: kept }) => (kept ? [bodiesOf(kept, known)] : []));
        const rows = some.map(({ row }) => row);
        await insert(rows, said).catch((error) => {
          dropped(batch.length - from);
          throw error;
        });
      }
    },
  };
}

const problemCode = /"code":"([A-Z_]{1,60})"/;

const rowOf = (one: Answered, beginning: string): RequestLogRow => ({
  id: one.requestId as RequestId,
  platform_id: one.platformId as PlatformId,
  created_at: one.at,
  method: one.method,
  path: one.path,
  operation_id: one.operationId,
  status: one.status,
  code: (one.status >= 400 && problemCode.exec(beginning)?.[1]) || null,
  duration_ms: Math.round(one.ms * 100) / 100,
  idempotency_key: one.key ?? null,
  token_id: tokenOfActor(one.actor) ?? null,
  resource_ids: idsOf(one.path, queryIn(one.url), isPage(beginning) ? '' : beginning).join(' '),
});

/** What a list shows was not asked for: who looks for a request by an id would find every page that had it. */
const isPage = (beginning: string): boolean => beginning.startsWith('{"data":[');

/** As ids are written, also where the caller has escaped their colons. */
const queryIn = (url: string): string => searchOf(url).replaceAll(/%3a/gi, ':');

const searchOf = (url: string): string => url.split('?', 2)[1] ?? '';

const bodiesOf = (one: Bodies, { redacted, redactedQuery }: Redaction): RequestBodiesRow => ({
  id: one.requestId as RequestId,
  query: redactedQuery(searchOf(one.url).slice(0, bodyBytesMax)),
  request_body: textOf(one.requestBody, (body) => redacted(body, 'request')),
  response_body: textOf(one.responseText, (body) => redacted(body, one.status < 400 ? 'answer' : 'refusal')),
  truncated: one.isTooLong,
});

/** What is no JSON says nothing that may be kept. */
function textOf(body: unknown, redact: (body: unknown) => unknown): string | null {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : body;
  if (typeof text !== 'string' || text === '') return null;
  try {
    const kept = stringify(redact(parseExactly(text)));
    return kept.length <= 2 * bodyBytesMax ? kept : null;
  } catch {
    return null;
  }
}
