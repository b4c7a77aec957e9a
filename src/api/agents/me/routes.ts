import { findAgentAction } from '../../../../projections/models/agent-actions.ts';
import { rowOfAgent } from '../../../../projections/models/agents.ts';
import {
  findExternalAccount,
  listExternalAccounts,
} from '../../../../projections/models/external-accounts.ts';
import { listCustomerAccounts } from '../../../../projections/models/internal-accounts.ts';
import { findTransaction, listTransactions } from '../../../../projections/models/transactions.ts';
import { actionNotFound } from '../../../domain/agents/actions/action.ts';
import { requireAccess, requirePermission } from '../../../domain/agents/authorize.ts';
import type { KnownAgent } from '../../../domain/agents/state.ts';
import { externalAccountNotFound } from '../../../domain/external-accounts/external-account.ts';
import { transactionNotFound } from '../../../domain/payments/not-found.ts';
import { type ExternalAccountId, isId } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { AgentPrincipal } from '../../../use-cases/caller.ts';
import { loadSelf } from '../../../use-cases/find/agent.ts';
import { renderInternalAccount } from '../../accounts/operations.ts';
import { renderExternalAccount } from '../../external-accounts/operations.ts';
import { type ExternalAccountDeps, register, remove } from '../../external-accounts/routes.ts';
import { renderPage } from '../../fields/fields.ts';
import { type Route, routeOn } from '../../operation.ts';
import { renderTransaction } from '../../transactions/render.ts';
import { actionsPage } from '../actions/routes.ts';
import { renderAgent, renderAgentAction } from '../render.ts';
import * as operations from './operations.ts';

type Deps = ExternalAccountDeps;
type AsAgent = { readonly principal: AgentPrincipal };

const manage = { permissions: ['MANAGE_EXTERNAL_ACCOUNTS'], accountIds: [] } as const;

/** What an agent reads, and the external accounts that it manages. */
export function agentOwnRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, now } = deps;
  const self = ({ principal }: AsAgent) => loadSelf(commands, principal);
  return [
    routeOn(operations.getMe, self, async (_request, agent) => ({
      status: 200,
      body: renderAgent(rowOfAgent(agent), now()),
    })),

    routeOn(operations.listMyTransactions, self, async ({ principal, query }, { policy }) => {
      requirePermission(policy, ['VIEW_TRANSACTIONS']);
      const { platformId, customerId } = principal;
      const { limit, cursor, sortOrder, status, type, reference, startDate, endDate } = query;
      const { accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier } = query;
      const accounts = { accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier };
      const filters = { customerId, ...accounts, status, type, reference, startDate, endDate };
      const page = await listTransactions(readDb, platformId, filters, { limit, cursor }, sortOrder);
      return { status: 200, body: renderPage(page, renderTransaction) };
    }),
    routeOn(
      operations.getMyTransaction,
      async ({ principal, params }) => {
        const row = await findTransaction(readDb, principal.platformId, params.transactionId);
        if (row?.customer_id !== principal.customerId) throw transactionNotFound();
        return { row, agent: await self({ principal }) };
      },
      async (_request, { row, agent }) => {
        requirePermission(agent.policy, ['VIEW_TRANSACTIONS']);
        return { status: 200, body: renderTransaction(row) };
      },
    ),

    routeOn(operations.listMyInternalAccounts, self, async ({ principal, query }, { policy }) => {
      requirePermission(policy, ['VIEW_TRANSACTIONS']);
      const { platformId, customerId } = principal;
      const { limit, cursor, ...rest } = query;
      const ids = policy.accountRestrictions?.allowedAccountIds?.filter((id) => isId('InternalAccount', id));
      const filters = { ...rest, customerId, ids };
      const page = await listCustomerAccounts(readDb, platformId, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderInternalAccount) };
    }),

    routeOn(operations.listMyActions, self, async ({ principal, query: { limit, cursor, status } }) => {
      const { platformId, agentId } = principal;
      const body = await actionsPage(readDb, platformId, { agentId, status }, { limit, cursor });
      return { status: 200, body };
    }),
    routeOn(
      operations.getMyAction,
      async ({ principal, params }) => {
        const row = await findAgentAction(readDb, principal.agentId, params.actionId);
        if (!row) throw actionNotFound();
        return row;
      },
      async ({ principal }, row) => {
        const payment = await findTransaction(readDb, principal.platformId, row.transaction_id);
        return { status: 200, body: renderAgentAction(row, payment) };
      },
    ),
    ...externalAccountRoutes(deps, self),
  ];
}

function externalAccountRoutes(
  deps: Deps,
  self: (request: AsAgent) => Promise<KnownAgent>,
): readonly Route[] {
  const { readDb } = deps;
  const find = async (principal: AgentPrincipal, id: ExternalAccountId) => {
    const row = await findExternalAccount(readDb, principal.platformId, 'customers', id);
    if (row?.customer_id !== principal.customerId) throw externalAccountNotFound();
    return { row, agent: await self({ principal }) };
  };
  return [
    routeOn(operations.listMyExternalAccounts, self, async ({ principal, query }, { policy }) => {
      requirePermission(policy, manage.permissions);
      const { platformId, customerId } = principal;
      const { limit, cursor, ...rest } = query;
      const filters = { ...rest, customerId };
      const page = await listExternalAccounts(readDb, platformId, 'customers', filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderExternalAccount) };
    }),
    routeOn(operations.createMyExternalAccount, self, (request, agent) => {
      requireAccess(agent, manage);
      const { body, principal } = request;
      const { customerId } = principal;
      if (body.customerId !== undefined && body.customerId !== customerId)
        throw new Rejected('FORBIDDEN', 'An agent registers accounts for its own customer only.');
      return register(deps, request, { customerId, isDefault: body.defaultUmaDepositAccount });
    }),
    routeOn(
      operations.getMyExternalAccount,
      ({ principal, params }) => find(principal, params.externalAccountId),
      async (_request, { row, agent }) => {
        requirePermission(agent.policy, manage.permissions);
        return { status: 200, body: renderExternalAccount(row) };
      },
    ),
    routeOn(
      operations.deleteMyExternalAccount,
      ({ principal, params }) => find(principal, params.externalAccountId),
      (request, { agent }) => {
        requireAccess(agent, manage);
        return remove(deps)(request);
      },
    ),
  ];
}
