import type { ReadDb } from '../../../../projections/database.ts';
import { findRequest, listRequests } from '../../../../projections/kept/request-log.ts';
import type { RequestLogRow } from '../../../../projections/tables/request-log.ts';
import { parseExactly } from '../../../kernel/json.ts';
import { renderPage } from '../../fields/fields.ts';
import { type Route, route, routeOn } from '../../operation.ts';
import { getConsoleRequest, listConsoleRequests, type RenderedRequest } from './operations.ts';

export const consoleRequestRoutes = ({ listDb }: { readonly listDb: ReadDb }): readonly Route[] => [
  route(listConsoleRequests, async ({ principal, query }) => {
    const { limit, cursor, ...filters } = query;
    const page = await listRequests(listDb, principal.platformId, filters, { limit, cursor });
    return { status: 200, body: renderPage(page, renderRequest) };
  }),
  routeOn(
    getConsoleRequest,
    async ({ principal, params }) => {
      const found = await findRequest(listDb, principal.platformId, params.requestId);
      if (!found) throw getConsoleRequest.notFound();
      return found;
    },
    async (_request, { row, bodies }) => {
      const said = {
        query: bodies?.query ?? '',
        requestBody: json(bodies?.request_body),
        responseBody: json(bodies?.response_body),
        truncated: bodies?.truncated ?? false,
      };
      return { status: 200, body: Object.assign(renderRequest(row), said) };
    },
  ),
];

const json = (text: string | null | undefined): unknown => (text ? parseExactly(text) : null);

const renderRequest = (row: RequestLogRow): RenderedRequest => ({
  id: row.id,
  requestId: row.id,
  createdAt: row.created_at.toISOString(),
  method: row.method,
  path: row.path,
  operationId: row.operation_id,
  status: row.status,
  code: row.code,
  durationMs: row.duration_ms,
  idempotencyKey: row.idempotency_key,
  tokenId: row.token_id,
});
