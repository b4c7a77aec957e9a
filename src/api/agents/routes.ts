import type { ReadDb } from '../../../projections/database.ts';
import { listAgents, rowOfAgent } from '../../../projections/models/agents.ts';
import type { AgentCommand } from '../../domain/agents/agent.ts';
import type { KnownAgent } from '../../domain/agents/state.ts';
import type { Rates } from '../../domain/money/rates.ts';
import type { AgentCredentials } from '../../use-cases/agents/credentials.ts';
import { changeAgent, changePolicy, createAgent, deleteAgent } from '../../use-cases/agents/manage.ts';
import { mayPay } from '../../use-cases/caller.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadAgent } from '../../use-cases/find/agent.ts';
import { loadCustomer } from '../../use-cases/find/customer.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import { renderCode } from './device-codes/render.ts';
import * as operations from './operations.ts';
import { renderAgent } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly listDb: ReadDb;
  readonly rates: Rates;
  readonly agentCredentials: AgentCredentials;
  readonly now: () => Date;
  readonly installationNow: () => Date;
};
type ById = Request<typeof operations.getAgent>;

/** What the platform does with its agents. */
export function agentRoutes(deps: Deps): readonly Route[] {
  const { commands, listDb, rates, now } = deps;
  const find = ({ principal, params }: Pick<ById, 'principal' | 'params'>) =>
    loadAgent(commands, principal.platformId, params.agentId);
  const render = (agent: KnownAgent) => renderAgent(rowOfAgent(agent), now());
  const change = async ({ cause }: Pick<ById, 'cause'>, agent: KnownAgent, command: AgentCommand) => ({
    status: 200,
    body: render(await changeAgent(commands, agent, command, cause)),
  });

  return [
    route(operations.listAgentsOperation, async ({ principal, query: { limit, cursor, ...filters } }) => {
      const page = await listAgents(listDb, principal.platformId, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, (row) => renderAgent(row, now())) };
    }),
    routeOn(
      operations.createAgent,
      ({ principal, body }) => loadCustomer(commands, principal.platformId, body.customerId),
      async (request, customer) => {
        const { agent, issued } = await createAgent(deps, customer, request.body, request.principal, request);
        const deviceCode = renderCode(issued, agent.details.agentId);
        return { status: 201, body: { agent: render(agent), deviceCode } };
      },
    ),
    routeOn(operations.getAgent, find, async (_request, agent) => ({ status: 200, body: render(agent) })),
    routeOn(operations.changeAgent, find, (request, agent) => {
      const { body, principal } = request;
      return change(request, agent, { type: 'ChangeAgent', ...body, mayPay: mayPay(principal), at: now() });
    }),
    routeOn(operations.changeAgentPolicy, find, async (request, agent) => {
      const { body: changes, principal, cause } = request;
      const policy = { changes, rates, mayPay: mayPay(principal) };
      const command = { type: 'ChangePolicy', ...policy, at: now() } as const;
      return { status: 200, body: render(await changePolicy(deps, agent, command, cause)) };
    }),
    routeOn(operations.deleteAgent, find, async ({ cause }, agent) => {
      await deleteAgent(deps, agent, cause);
      return { status: 204 };
    }),
  ];
}
