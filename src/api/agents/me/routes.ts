import type { ReadDb } from '../../../../projections/database.ts';
import { findAgentAction } from '../../../../projections/models/agent-actions.ts';
import { rowOfAgent } from '../../../../projections/models/agents.ts';
import { listCustomerAccounts } from '../../../../projections/models/internal-accounts.ts';
import type { ListTransactions } from '../../../../projections/models/transaction-lists.ts';
import { findTransaction } from '../../../../projections/models/transactions.ts';
import { actionNotFound } from '../../../domain/agents/actions/action.ts';
import { requirePermission } from '../../../domain/agents/authorize.ts';
import { transactionNotFound } from '../../../domain/payments/not-found.ts';
import type { Environment } from '../../../domain/platforms/events.ts';
import { isId } from '../../../kernel/ids.ts';
import type { AgentPrincipal } from '../../../use-cases/caller.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { loadSelf } from '../../../use-cases/find/agent.ts';
import { renderAccountsPage } from '../../accounts/render.ts';
import { type Route, routeOn } from '../../operation.ts';
import { pageOfTransactions, renderTransaction } from '../../transactions/render.ts';
import { renderAgentAction } from '../actions/render.ts';
import { actionsPage } from '../actions/with-payments.ts';
import { renderAgent } from '../render.ts';
import * as operations from './operations.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly listDb: ReadDb;
  readonly listTransactions: ListTransactions;
  readonly now: () => Date;
  /** The installation's. */
  readonly environment: Environment;
};
type AsAgent = { readonly principal: AgentPrincipal };

/** What an agent reads. */
export function agentOwnRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, listDb, listTransactions, now, environment } = deps;
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
      const page = await listTransactions(platformId, filters, { limit, cursor }, sortOrder);
      return pageOfTransactions(page);
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
      const page = await listCustomerAccounts(listDb, platformId, filters, { limit, cursor });
      return { status: 200, body: renderAccountsPage(page, environment) };
    }),

    routeOn(operations.listMyActions, self, async ({ principal, query: { limit, cursor, status } }) => {
      const { platformId, agentId } = principal;
      const body = await actionsPage(listDb, platformId, { agentId, status }, { limit, cursor });
      return { status: 200, body };
    }),
    routeOn(
      operations.getMyAction,
      async ({ principal, params }) => {
        const found = await findAgentAction(readDb, principal.agentId, params.actionId);
        if (!found) throw actionNotFound();
        return found;
      },
      async (_request, { action, payment }) => ({ status: 200, body: renderAgentAction(action, payment) }),
    ),
  ];
}
