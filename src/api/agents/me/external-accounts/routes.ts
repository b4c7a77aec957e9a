import type { ReadDb } from '../../../../../projections/database.ts';
import {
  findExternalAccount,
  listExternalAccounts,
} from '../../../../../projections/models/external-accounts.ts';
import { requireAccess, requirePermission } from '../../../../domain/agents/authorize.ts';
import { externalAccountNotFound } from '../../../../domain/external-accounts/external-account.ts';
import type { ExternalAccountId } from '../../../../kernel/ids.ts';
import { Rejected } from '../../../../kernel/rejected.ts';
import type { AgentPrincipal } from '../../../../use-cases/caller.ts';
import {
  type RegistrationDeps,
  registerExternalAccount,
  removeExternalAccount,
} from '../../../../use-cases/external-accounts/register.ts';
import { requireNoRules } from '../../../../use-cases/external-accounts/ruled.ts';
import { loadSelf } from '../../../../use-cases/find/agent.ts';
import { renderExternalAccount, renderRegistered } from '../../../external-accounts/render.ts';
import { renderPage } from '../../../fields/fields.ts';
import { type Route, routeOn } from '../../../operation.ts';
import * as operations from './operations.ts';

type Deps = RegistrationDeps & { readonly readDb: ReadDb; readonly listDb: ReadDb };
type AsAgent = { readonly principal: AgentPrincipal };

const manage = { permissions: ['MANAGE_EXTERNAL_ACCOUNTS'], accountIds: [] } as const;

export function agentExternalAccountRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, listDb } = deps;
  const self = ({ principal }: AsAgent) => loadSelf(commands, principal);
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
      const page = await listExternalAccounts(listDb, platformId, 'customers', filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderExternalAccount) };
    }),
    routeOn(operations.createMyExternalAccount, self, async (request, agent) => {
      requireAccess(agent, manage);
      const { body, principal } = request;
      const { platformId, customerId } = principal;
      if (body.customerId !== undefined && body.customerId !== customerId)
        throw new Rejected('FORBIDDEN', 'An agent registers accounts for its own customer only.');
      const account = await registerExternalAccount(deps, platformId, { ...body, customerId }, request);
      return { status: 201, body: renderRegistered(account) };
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
      async ({ params, cause }, { agent }) => {
        requireAccess(agent, manage);
        await requireNoRules(deps, agent, params.externalAccountId);
        await removeExternalAccount(deps, params.externalAccountId, cause);
        return { status: 204 };
      },
    ),
  ];
}
