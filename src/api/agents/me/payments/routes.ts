/** How agents move money: the same quotes and transfers as the platform's, behind the agent's policy. */

import type { ReadDb } from '../../../../../projections/database.ts';
import { findQuote } from '../../../../../projections/models/transactions.ts';
import { internalAccountNotFound } from '../../../../domain/accounts/account.ts';
import { accessOf, amountOf, executionOf } from '../../../../domain/agents/actions/operation.ts';
import { type Access, requireAccess, requireAnyPermission } from '../../../../domain/agents/authorize.ts';
import type { KnownAgent } from '../../../../domain/agents/state.ts';
import { customerNotFound } from '../../../../domain/customers/customer.ts';
import { externalAccountNotFound } from '../../../../domain/external-accounts/external-account.ts';
import { quoteNotFound } from '../../../../domain/payments/not-found.ts';
import type { QuoteParties } from '../../../../domain/payments/parties.ts';
import { newQuote } from '../../../../domain/quotes/new-quote.ts';
import type { QuoteRequest as AskedQuote } from '../../../../domain/quotes/quote-request.ts';
import type { CustomerId, ExternalAccountId, InternalAccountId } from '../../../../kernel/ids.ts';
import { idOf, uuidOf } from '../../../../kernel/ids.ts';
import { invariant } from '../../../../kernel/invariant.ts';
import { preview, requireMoney, type SubmitDeps, submit } from '../../../../use-cases/agents/submit.ts';
import type { AgentPrincipal } from '../../../../use-cases/caller.ts';
import { loadSelf } from '../../../../use-cases/find/agent.ts';
import { findParties } from '../../../../use-cases/find/parties.ts';
import { loadQuote, type QuotedPayment } from '../../../../use-cases/find/quote.ts';
import type { Receivers } from '../../../../use-cases/find/receivers.ts';
import { openQuote, requireExecutable, requireSignature } from '../../../../use-cases/quotes/execute.ts';
import { findPair, newTransfer, type Pair } from '../../../../use-cases/transfers/transfer.ts';
import { quotePayloadOf } from '../../../../use-cases/wallets/signing.ts';
import type { Request, Route } from '../../../operation.ts';
import { routeOn } from '../../../operation.ts';
import { renderQuote, renderQuoted } from '../../../quotes/render.ts';
import { renderAction } from '../../actions/read.ts';
import * as operations from '../operations.ts';

type Deps = SubmitDeps & {
  readonly readDb: ReadDb;
  readonly receivers: Receivers;
  readonly quoteLifetimeMs: number;
};

export function agentPaymentRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb } = deps;
  return [
    routeOn(
      operations.createMyQuote,
      async ({ body, principal }) => ({
        agent: await loadSelf(commands, principal),
        parties: await findOwnParties(deps, principal, body),
      }),
      async (request, { agent, parties }) => ({
        status: 201,
        body: await createQuote(deps, request, agent, parties),
      }),
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
        await requireSignature(deps, quote.terms.quote, request);
        const found = await submit(deps, request, agent, () => preparedExecution(deps, agent, quote));
        return { status: 200, body: await renderAction(commands, found) };
      },
    ),

    routeOn(
      operations.transferInAsAgent,
      ({ body, principal }) =>
        findOwnPair(deps, principal, body.destination.accountId, body.source.accountId),
      (request, found) => transfer(deps, request, found, 'IN'),
    ),
    routeOn(
      operations.transferOutAsAgent,
      ({ body, principal }) =>
        findOwnPair(deps, principal, body.source.accountId, body.destination.accountId),
      (request, found) => transfer(deps, request, found, 'OUT', request.body.destination.paymentRail),
    ),
  ];
}

type QuoteRequest = Request<typeof operations.createMyQuote>;

async function createQuote(deps: Deps, request: QuoteRequest, agent: KnownAgent, parties: QuoteParties) {
  const { commands, rates, now, quoteLifetimeMs: lifetimeMs } = deps;
  const { body, cause, uuidFor } = request;
  const { agentId, platformId } = agent.details;
  const uuid = uuidFor('quote');
  const access: Access = {
    permissions: body.immediatelyExecute ? ['CREATE_QUOTES', 'EXECUTE_QUOTES'] : ['CREATE_QUOTES'],
    accountIds: accountsOf(parties),
  };
  const terms = () => {
    requireAccess(agent, access);
    const chosen = { uuid, lifetimeMs, agentId, payloadOf: quotePayloadOf, at: now() };
    return newQuote(body, parties, rates.table, chosen);
  };
  if (!body.immediatelyExecute) return renderQuoted(await openQuote(deps, terms(), cause));
  await submit(deps, request, agent, async () => {
    const operation = executionOf(terms(), true);
    invariant(operation, 'a quote that is paid for from outside, executed at once');
    const { mode } = preview(deps, agent, accessOf(operation), amountOf(operation));
    await requireMoney(deps, operation, mode);
    return operation;
  });
  return renderQuoted(await loadQuote(commands, platformId, idOf('Quote', uuid)));
}

/** The customer's own internal and external accounts that the quote takes from or pays to. */
function accountsOf({ source, destination }: QuoteParties): string[] {
  const from =
    source.kind === 'INTERNAL'
      ? [source.account.accountId]
      : source.kind === 'EXTERNAL'
        ? [source.account.externalAccountId]
        : [];
  return destination.kind === 'INTERNAL' ? [...from, destination.account.accountId] : from;
}

/** Both ends that are accounts are the customer's: others are not there for its agent. */
async function findOwnParties(
  deps: Deps,
  { platformId, customerId }: AgentPrincipal,
  { source, ...body }: AskedQuote,
): Promise<QuoteParties> {
  if (source.customerId !== undefined && source.customerId !== customerId) throw customerNotFound();
  const parties = await findParties(deps, platformId, { ...body, source: { ...source, customerId } });
  requireOwn(parties.source, customerId);
  requireOwn(parties.destination, customerId);
  return parties;
}

function requireOwn(end: QuoteParties['source'] | QuoteParties['destination'], customerId: CustomerId): void {
  if (end.kind === 'INTERNAL' && end.account.customerId !== customerId) throw internalAccountNotFound();
  if (end.kind === 'EXTERNAL' && end.account.customerId !== customerId) throw externalAccountNotFound();
}

async function preparedExecution(deps: Deps, agent: KnownAgent, quote: QuotedPayment) {
  const operation = executionOf(quote.terms.quote, false);
  if (!operation) requireAccess(agent, { permissions: ['EXECUTE_QUOTES'], accountIds: [] });
  const mode = operation && preview(deps, agent, accessOf(operation), amountOf(operation)).mode;
  await requireExecutable(deps, quote);
  invariant(operation && mode, 'a quote that is paid for from outside can be executed');
  await requireMoney(deps, operation, mode);
  return operation;
}

type OwnPair = { readonly agent: KnownAgent; readonly pair: Pair };

async function findOwnPair(
  { commands }: Deps,
  principal: AgentPrincipal,
  internalId: InternalAccountId,
  externalId: ExternalAccountId,
): Promise<OwnPair> {
  const { platformId, customerId } = principal;
  const pair = await findPair(commands, platformId, internalId, externalId);
  requireOwn({ kind: 'INTERNAL', account: pair.internal }, customerId);
  requireOwn({ kind: 'EXTERNAL', account: pair.external }, customerId);
  return { agent: await loadSelf(commands, principal), pair };
}

type TransferRequest =
  | Request<typeof operations.transferInAsAgent>
  | Request<typeof operations.transferOutAsAgent>;

/** The transaction has the uuid of the action. */
async function transfer(
  deps: Deps,
  request: TransferRequest,
  { agent, pair }: OwnPair,
  direction: 'IN' | 'OUT',
  paymentRail?: string,
) {
  const { agentId, platformId } = agent.details;
  const { amount, remittanceInformation, purposeOfPayment } = request.body;
  const { accountId, currency } = pair.internal;
  const found = await submit(deps, request, agent, async (actionId) => {
    const access: Access = { permissions: ['CREATE_TRANSFERS'], accountIds: [accountId] };
    const { mode } = preview(deps, agent, access, { minor: amount, currency });
    const agentAction = { agentId, actionId };
    const asked = { direction, uuid: uuidOf(actionId), amount, paymentRail, agentAction };
    const memo = { remittanceInformation, purposeOfPayment };
    const terms = await newTransfer(deps, platformId, { ...asked, ...memo }, pair);
    const operation = { type: `TRANSFER_${direction}` as const, transfer: terms };
    await requireMoney(deps, operation, mode);
    return operation;
  });
  return { status: 201, body: await renderAction(deps.commands, found) };
}
