import type { Selectable } from 'kysely';
import type { PlatformId, RequestId, TokenId } from '../../src/kernel/ids.ts';

/** One row per answered request of a caller who is known. */
export type RequestLogTable = {
  id: RequestId;
  platform_id: PlatformId;
  created_at: Date;
  method: string;
  /** Below the base path, with ids and nothing else of the caller's. */
  path: string;
  operation_id: string;
  status: number;
  code: string | null;
  duration_ms: number;
  idempotency_key: string | null;
  token_id: TokenId | null;
  /** The ids in path and answer, with spaces between them. */
  resource_ids: string;
};

/** Of some of them, what was said: JSON without what is secret or personal. */
export type RequestBodiesTable = {
  id: RequestId;
  query: string;
  request_body: string | null;
  response_body: string | null;
  /** Something was too long to be kept. */
  truncated: boolean;
};

export type RequestLogRow = Selectable<RequestLogTable>;
export type RequestBodiesRow = Selectable<RequestBodiesTable>;
