import type { ReadDb } from '../../../projections/database.ts';
import { accountBalanceAt, type Instant, ledgerBalancesAt } from '../../../projections/models/ledger-at.ts';
import { accountStatement } from '../../../projections/models/ledger-statements.ts';
import { streamOf } from '../../domain/streams.ts';
import type { EventStore } from '../../infrastructure/event-store/event-store.ts';
import { badField, type Rejected } from '../../kernel/rejected.ts';
import { historyOf } from '../../use-cases/audit/history.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadInternalAccount } from '../../use-cases/find/internal-account.ts';
import { renderTrialBalances } from '../accounts/render.ts';
import { renderAmount } from '../fields/amounts.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route } from '../operation.ts';
import {
  getAgentHistory,
  getBalanceAt,
  getCustomerHistory,
  getExternalAccountHistory,
  getInternalAccountHistory,
  getStatement,
  getTransactionHistory,
  getTrialBalanceAt,
} from './operations.ts';
import { streamOfPayment } from './payment-stream.ts';
import { placesIn } from './places.ts';
import { renderEntry, renderHistoryEntry } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly listDb: ReadDb;
  readonly store: Pick<EventStore, 'read'>;
  readonly now: () => Date;
};

const epoch = new Date(0);

type Found<Row> = {
  readonly rows: readonly Row[];
  readonly total: number;
  /** The place after which the next page begins. */
  readonly next: bigint | number | undefined;
};

const pageFrom = <Row>(
  { rows, total, next }: Found<Row>,
  { cursorOf }: Pick<ReturnType<typeof placesIn>, 'cursorOf'>,
) => ({
  rows,
  totalCount: total,
  ...(next !== undefined && { nextCursor: cursorOf(next) }),
});

export function auditRoutes(deps: Deps): readonly Route[] {
  const { commands, listDb, store, now } = deps;

  const history = async (
    { principal, query }: Pick<Request<typeof getCustomerHistory>, 'principal' | 'query'>,
    stream: string,
    notFound: () => Rejected,
  ) => {
    const places = placesIn({ list: 'history', stream });
    const wanted = {
      stream,
      platformId: principal.platformId,
      from: Number(places.placeOf(query.cursor) ?? 0n),
      limit: query.limit,
    };
    const { entries, next, total } = await historyOf({ store }, wanted, notFound);
    const page = pageFrom({ rows: entries, total, next }, places);
    return { status: 200, body: renderPage(page, renderHistoryEntry) };
  };

  return [
    route(getBalanceAt, async ({ principal, params, query }) => {
      const { platformId } = principal;
      const { accountId } = params;
      const { currency } = await loadInternalAccount(commands, platformId, accountId);
      const instant: Instant = { clock: query.clock, at: query.at ?? now() };
      const { minor, asOf } = await accountBalanceAt(listDb, { platformId, accountId }, instant);
      const balance = renderAmount({ minor, currency });
      const body = { accountId, clock: instant.clock, at: instant.at.toISOString(), balance };
      return { status: 200, body: { ...body, asOf: asOf.toString() } };
    }),

    route(getStatement, async (request) => ({ status: 200, body: await statement(deps, request) })),

    route(getTrialBalanceAt, async ({ principal, query }) => {
      const instant: Instant = { clock: query.clock, at: query.at ?? now() };
      const { rows, asOf } = await ledgerBalancesAt(listDb, principal.platformId, instant);
      return { status: 200, body: { data: renderTrialBalances(rows), asOf: asOf.toString() } };
    }),

    route(getCustomerHistory, (request) =>
      history(request, streamOf('customer', request.params.customerId), getCustomerHistory.notFound),
    ),
    route(getInternalAccountHistory, (request) =>
      history(request, streamOf('account', request.params.accountId), getInternalAccountHistory.notFound),
    ),
    route(getExternalAccountHistory, (request) =>
      history(
        request,
        streamOf('externalAccount', request.params.externalAccountId),
        getExternalAccountHistory.notFound,
      ),
    ),
    route(getTransactionHistory, async (request) =>
      history(
        request,
        await streamOfPayment(listDb, request.principal.platformId, request.params.transactionId),
        getTransactionHistory.notFound,
      ),
    ),
    route(getAgentHistory, (request) =>
      history(request, streamOf('agent', request.params.agentId), getAgentHistory.notFound),
    ),
  ];
}

async function statement(
  { commands, listDb, now }: Pick<Deps, 'commands' | 'listDb' | 'now'>,
  { principal, params, query }: Request<typeof getStatement>,
) {
  const { platformId } = principal;
  const { accountId } = params;
  const { currency } = await loadInternalAccount(commands, platformId, accountId);
  const { clock, limit, cursor, from = epoch, to = now() } = query;
  if (query.to && query.to < from) throw badField('to', 'is before from');
  const places = placesIn({ list: 'statement', accountId, clock, from: query.from, to: query.to });
  const wanted = { platformId, accountId, after: places.placeOf(cursor) ?? 0n, limit };
  const { entries, total, next, ...held } = await accountStatement(listDb, wanted, { clock, from, to });
  return {
    ...renderPage(pageFrom({ rows: entries, total, next }, places), renderEntry),
    clock,
    opening: renderAmount({ minor: held.opening, currency }),
    closing: renderAmount({ minor: held.closing, currency }),
    asOf: held.asOf.toString(),
  };
}
