import type { ReadDb } from '../../../../projections/database.ts';
import { listAgentActions } from '../../../../projections/models/agent-actions.ts';
import { findTransactions } from '../../../../projections/models/transactions.ts';
import type { Operation } from '../../../domain/agents/events.ts';
import type { Cause } from '../../../infrastructure/commands/dispatch.ts';
import { type AgentActionId, type AgentId, type PlatformId, uuidOf } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { type SubmitDeps, settled } from '../../../use-cases/agents/submit.ts';
import type { Principal } from '../../../use-cases/caller.ts';
import { actionOf, type FoundAction, loadAgent } from '../../../use-cases/find/agent.ts';
import { loadQuote } from '../../../use-cases/find/quote.ts';
import { requireExecutable } from '../../../use-cases/quotes/execute.ts';
import { findPair, newTransfer } from '../../../use-cases/transfers/transfer.ts';
import { renderPage } from '../../fields/fields.ts';
import { type Route, route, routeOn } from '../../operation.ts';
import * as operations from '../operations.ts';
import { renderAgentAction } from '../render.ts';
import { renderAction } from './read.ts';

type Deps = SubmitDeps & { readonly readDb: ReadDb };
type ById = {
  readonly principal: Principal;
  readonly params: { readonly agentId: AgentId; readonly actionId: AgentActionId };
};

/** The platform's say over what its agents ask for. */
export function approvalRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, rates, now } = deps;
  const find = async ({ principal, params }: ById) =>
    actionOf(await loadAgent(commands, principal.platformId, params.agentId), params.actionId);

  return [
    route(operations.listApprovals, async ({ principal, query }) => {
      const { limit, cursor, sortOrder, ...filters } = query;
      const waiting = { ...filters, status: 'PENDING_APPROVAL' as const };
      return {
        status: 200,
        body: await actionsPage(readDb, principal.platformId, waiting, { limit, cursor }, sortOrder),
      };
    }),

    routeOn(operations.approveAction, find, async ({ cause }, { agent, actionId, action }) => {
      const { platformId, agentId } = agent.details;
      const waits = action.status === 'PENDING_APPROVAL';
      const again = waits ? await lookedAtAgain(deps, platformId, action.operation, cause) : action;
      const { operation, problem } = again;
      const at = now();
      const command = {
        type: 'ApproveAction',
        actionId,
        operation,
        problem,
        rates: rates.table,
        at,
      } as const;
      await commands.run('agent', uuidOf(agentId), command, cause);
      const found = await settled(deps, agent, actionId, cause);
      return { status: 200, body: await renderAction(commands, found) };
    }),

    routeOn(operations.rejectAction, find, async ({ cause, body }, { agent, actionId }) => {
      const rejectionReason = body.reason ?? 'Rejected by platform';
      const command = { type: 'RejectAction', actionId, rejectionReason, at: now() } as const;
      const { state } = await commands.run('agent', uuidOf(agent.details.agentId), command, cause);
      invariant(state.status !== 'NONE', 'decided on an agent that is not there');
      return { status: 200, body: await renderAction(commands, actionOf(state, actionId)) };
    }),
  ];
}

/** A page of actions with the payments that they are about. */
export async function actionsPage(
  readDb: ReadDb,
  platformId: PlatformId,
  filters: Parameters<typeof listAgentActions>[2],
  page: Parameters<typeof listAgentActions>[3],
  order?: 'asc' | 'desc',
) {
  const found = await listAgentActions(readDb, platformId, filters, page, order);
  const ids = found.rows.map(({ transaction_id }) => transaction_id);
  const payments = new Map((await findTransactions(readDb, platformId, ids)).map((row) => [row.id, row]));
  return renderPage(found, (row) => renderAgentAction(row, payments.get(row.transaction_id)));
}

type Again = { readonly operation: Operation; readonly problem?: FoundAction['action']['problem'] };

/** The operation as it would be submitted now, and what else than the policy stands against it. */
async function lookedAtAgain(
  deps: Deps,
  platformId: PlatformId,
  operation: Operation,
  cause: Cause,
): Promise<Again> {
  try {
    if (operation.type === 'EXECUTE_QUOTE') {
      await requireCreated(deps, operation, cause);
      await requireExecutable(deps, await loadQuote(deps.commands, platformId, operation.quoteId));
      return { operation };
    }
    return { operation: await transferAgain(deps, platformId, operation) };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { code, message } = error;
    return { operation, problem: { code, message } };
  }
}

/** A crash may have come between the request and the quote that it creates. */
async function requireCreated(
  { commands }: Deps,
  { transactionId, creates: terms }: Extract<Operation, { type: 'EXECUTE_QUOTE' }>,
  cause: Cause,
): Promise<void> {
  if (terms) await commands.run('transaction', uuidOf(transactionId), { type: 'CreateQuote', terms }, cause);
}

async function transferAgain(
  deps: Deps,
  platformId: PlatformId,
  { type, transfer }: Exclude<Operation, { type: 'EXECUTE_QUOTE' }>,
): Promise<Operation> {
  const { direction, source, destination, amount, transactionId, agentAction } = transfer;
  const { remittanceInformation, purposeOfPayment } = transfer;
  const [inside, outside] = direction === 'IN' ? [destination, source] : [source, destination];
  invariant(inside.kind === 'INTERNAL' && outside.kind === 'EXTERNAL', 'a transfer between other accounts');
  const pair = await findPair(deps.commands, platformId, inside.accountId, outside.accountId);
  const paymentRail = destination.kind === 'EXTERNAL' ? destination.paymentRail : undefined;
  const asked = { direction, uuid: uuidOf(transactionId), amount: amount.minor, paymentRail, agentAction };
  const memo = { remittanceInformation, purposeOfPayment };
  return { type, transfer: await newTransfer(deps, platformId, { ...asked, ...memo }, pair) };
}
