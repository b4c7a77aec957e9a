import type { ReadDb } from '../../../../../projections/database.ts';
import { findQuote } from '../../../../../projections/models/transactions.ts';
import { requireAnyPermission } from '../../../../domain/agents/authorize.ts';
import { quoteNotFound } from '../../../../domain/payments/not-found.ts';
import { unreadOf } from '../../../../domain/quotes/quote-request.ts';
import type { ExternalAccountId, InternalAccountId } from '../../../../kernel/ids.ts';
import { findOwnPair, findOwnParties } from '../../../../use-cases/agents/actions/own.ts';
import {
  createQuoteAsAgent,
  executeQuoteAsAgent,
  resumeQuoteAsAgent,
} from '../../../../use-cases/agents/actions/quotes.ts';
import { resumeAction, type SubmitDeps } from '../../../../use-cases/agents/actions/submit.ts';
import { transferAsAgent } from '../../../../use-cases/agents/actions/transfers.ts';
import type { Attempt } from '../../../../use-cases/attempt.ts';
import type { AgentPrincipal } from '../../../../use-cases/caller.ts';
import { loadSelf } from '../../../../use-cases/find/agent.ts';
import type { Payees } from '../../../../use-cases/find/payees.ts';
import { loadQuote } from '../../../../use-cases/find/quote.ts';
import type { Receivers } from '../../../../use-cases/find/receivers.ts';
import { type Route, routeOn } from '../../../operation.ts';
import { renderQuote, renderQuoted } from '../../../quotes/render.ts';
import { renderWithPayment } from '../../actions/with-payments.ts';
import * as operations from './operations.ts';

type Deps = SubmitDeps & {
  readonly readDb: ReadDb;
  readonly receivers: Receivers;
  readonly payees: Payees;
  readonly quoteLifetimeMs: number;
};

export const agentPaymentRoutes = (deps: Deps): readonly Route[] => [
  ...quoteRoutes(deps),
  ...transferRoutes(deps),
];

function quoteRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb } = deps;
  return [
    routeOn(
      operations.createMyQuote,
      async ({ body, principal }) => {
        const agent = await loadSelf(commands, principal);
        return { agent, parties: await findOwnParties(deps, principal, body) };
      },
      async (request, { agent, parties }) => {
        const quote = await createQuoteAsAgent(deps, agent, request.body, parties, request);
        return { status: 201, body: renderQuoted(quote), unread: unreadOf(request.body) };
      },
      async (repeat) => {
        const agent = await loadSelf(commands, repeat.principal);
        const quote = await resumeQuoteAsAgent(deps, agent, repeat);
        return quote && { status: 201, body: renderQuoted(quote) };
      },
    ),
    routeOn(
      operations.getMyQuote,
      async ({ principal, params }) => {
        const row = await findQuote(readDb, principal.platformId, params.quoteId);
        if (!row?.quote_id || row.agent_id !== principal.agentId) throw quoteNotFound();
        return { row, agent: await loadSelf(commands, principal) };
      },
      async (_request, { row, agent }) => {
        requireAnyPermission(agent.policy, ['CREATE_QUOTES', 'EXECUTE_QUOTES']);
        return { status: 200, body: renderQuote(row) };
      },
    ),
    routeOn(
      operations.executeMyQuote,
      async ({ principal, params }) => {
        const quote = await loadQuote(commands, principal.platformId, params.quoteId);
        if (quote.terms.agentId !== principal.agentId) throw quoteNotFound();
        return { quote, agent: await loadSelf(commands, principal) };
      },
      async (request, { quote, agent }) => {
        const found = await executeQuoteAsAgent(deps, agent, quote, request);
        return { status: 200, body: await renderWithPayment(commands, found) };
      },
      (repeat) => resumed(deps, repeat, 200),
    ),
  ];
}

/** The action that a request has submitted before it was cut short. */
async function resumed(
  deps: SubmitDeps,
  repeat: Attempt & { readonly principal: AgentPrincipal },
  status: number,
) {
  const found = await resumeAction(deps, await loadSelf(deps.commands, repeat.principal), repeat);
  return found && { status, body: await renderWithPayment(deps.commands, found) };
}

function transferRoutes(deps: Deps): readonly Route[] {
  const { commands } = deps;
  const find = async (principal: AgentPrincipal, inside: InternalAccountId, outside: ExternalAccountId) => {
    const pair = await findOwnPair(commands, principal, inside, outside);
    return { pair, agent: await loadSelf(commands, principal) };
  };
  return [
    routeOn(
      operations.transferInAsAgent,
      ({ body, principal }) => find(principal, body.destination.accountId, body.source.accountId),
      async (request, { pair, agent }) => {
        const { source: _source, destination: _destination, ...asked } = request.body;
        const found = await transferAsAgent(deps, agent, pair, { direction: 'IN', ...asked }, request);
        return { status: 201, body: await renderWithPayment(commands, found) };
      },
      (repeat) => resumed(deps, repeat, 201),
    ),
    routeOn(
      operations.transferOutAsAgent,
      ({ body, principal }) => find(principal, body.source.accountId, body.destination.accountId),
      async (request, { pair, agent }) => {
        const { source: _source, destination, ...rest } = request.body;
        const asked = { direction: 'OUT', paymentRail: destination.paymentRail, ...rest } as const;
        const found = await transferAsAgent(deps, agent, pair, asked, request);
        return { status: 201, body: await renderWithPayment(commands, found) };
      },
      (repeat) => resumed(deps, repeat, 201),
    ),
  ];
}
