import type { ReadDb } from '../../../projections/database.ts';
import { findQuote } from '../../../projections/models/transactions.ts';
import type { Rates } from '../../domain/money/rates.ts';
import { quoteNotFound } from '../../domain/payments/not-found.ts';
import type { OperatorLimits } from '../../domain/platforms/outflow-limits.ts';
import { unreadOf } from '../../domain/quotes/quote-request.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { findParties } from '../../use-cases/find/parties.ts';
import type { Payees } from '../../use-cases/find/payees.ts';
import { loadQuote } from '../../use-cases/find/quote.ts';
import type { Receivers } from '../../use-cases/find/receivers.ts';
import { createQuote } from '../../use-cases/quotes/create.ts';
import { findExecutable } from '../../use-cases/quotes/executable.ts';
import { execute } from '../../use-cases/quotes/execute.ts';
import { resumeExecution, resumeQuote } from '../../use-cases/quotes/resume.ts';
import { type Route, routeOn } from '../operation.ts';
import * as operations from './operations.ts';
import { renderQuote, renderQuoted } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly rates: Rates;
  readonly receivers: Receivers;
  readonly payees: Payees;
  readonly now: () => Date;
  readonly quoteLifetimeMs: number;
  readonly operatorLimits: OperatorLimits;
};

export function quoteRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb } = deps;
  return [
    routeOn(
      operations.createQuote,
      ({ body, principal }) => findParties(deps, principal.platformId, body),
      async (request, parties) => ({
        status: 201,
        body: renderQuoted(await createQuote(deps, request.body, parties, request)),
        unread: unreadOf(request.body),
      }),
      async (repeat) => {
        const created = await resumeQuote(deps, repeat.body, repeat);
        return created && { status: 201, body: renderQuoted(created) };
      },
    ),

    routeOn(
      operations.getQuote,
      async ({ principal, params }) => {
        const row = await findQuote(readDb, principal.platformId, params.quoteId);
        if (!row?.quote_id) throw quoteNotFound();
        return row;
      },
      async (_request, row) => ({ status: 200, body: renderQuote(row) }),
    ),

    routeOn(
      operations.executeQuote,
      ({ principal, params }) => findExecutable(deps, principal.platformId, params.quoteId),
      async (request, found) => ({ status: 200, body: renderQuoted(await execute(deps, found, request)) }),
      async (repeat) => {
        const quote = await loadQuote(commands, repeat.principal.platformId, repeat.params.quoteId);
        const executed = await resumeExecution(deps, quote, repeat);
        return executed && { status: 200, body: renderQuoted(executed) };
      },
    ),
  ];
}
