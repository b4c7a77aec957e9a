import type { ReadDb } from '../../projections/database.ts';
import { findQuote } from '../../projections/transactions.ts';
import type { Commands } from '../aggregates.ts';
import type { Rates } from '../exchange-rates/rates.ts';
import { type Route, routeOn } from '../infrastructure/http/operation.ts';
import type { Receivers } from '../rails/receivers.ts';
import { quotePayloadOf } from '../wallet-auth/signing.ts';
import { quoteNotFound, renderQuote } from './api.ts';
import { newQuote } from './create.ts';
import { execute, executeAtOnce, loadQuote, openQuote } from './execute.ts';
import { createQuote, executeQuote, getQuote } from './operations.ts';
import { findParties } from './parties.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly rates: Rates;
  readonly receivers: Receivers;
  readonly now: () => Date;
  readonly quoteLifetimeMs: number;
};

export function quoteRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, rates, now, quoteLifetimeMs } = deps;
  return [
    routeOn(
      createQuote,
      ({ body, principal }) => findParties(deps, principal.platformId, body),
      async ({ body, cause, uuidFor, requestedBy, signature }, parties) => {
        const uuid = uuidFor('quote');
        const terms = newQuote(body, parties, rates.table, {
          ...{ uuid, lifetimeMs: quoteLifetimeMs, payloadOf: quotePayloadOf },
          at: now(),
        });
        if (body.immediatelyExecute)
          return { status: 201, body: await executeAtOnce(deps, terms, { cause, requestedBy, signature }) };
        return { status: 201, body: await openQuote(deps, terms, cause) };
      },
    ),

    routeOn(
      getQuote,
      async ({ principal, params }) => {
        const row = await findQuote(readDb, principal.platformId, params.quoteId);
        if (!row?.quote_id) throw quoteNotFound();
        return row;
      },
      async (_request, row) => ({ status: 200, body: renderQuote(row) }),
    ),

    routeOn(
      executeQuote,
      ({ principal, params }) => loadQuote(commands, principal.platformId, params.quoteId),
      async (request, quote) => ({ status: 200, body: await execute(deps, quote, request) }),
    ),
  ];
}
