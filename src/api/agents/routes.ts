import type { ReadDb } from '../../../projections/database.ts';
import { listAgents, rowOfAgent } from '../../../projections/models/agents.ts';
import type { AgentCommand } from '../../domain/agents/agent.ts';
import { newPolicy } from '../../domain/agents/policy-changes.ts';
import type { KnownAgent } from '../../domain/agents/state.ts';
import type { Rates } from '../../domain/money/rates.ts';
import { type AgentId, idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  deviceCodeNotFound,
  drawCode,
  findCode,
  isRedeemed,
  redeem,
  renderCode,
} from '../../use-cases/agents/codes.ts';
import type { AgentCredentials } from '../../use-cases/agents/credentials.ts';
import type { Principal } from '../../use-cases/caller.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadAgent } from '../../use-cases/find/agent.ts';
import { loadCustomer } from '../../use-cases/find/customer.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import * as operations from './operations.ts';
import { renderAgent, renderPolicy } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly rates: Rates;
  readonly agentCredentials: AgentCredentials;
  readonly now: () => Date;
};
type ById = { readonly principal: Principal; readonly params: { readonly agentId: AgentId } };

/** What the platform does with its agents. */
export function agentRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, rates, agentCredentials, now } = deps;
  const find = ({ principal, params }: ById) => loadAgent(commands, principal.platformId, params.agentId);
  const answer = (agent: KnownAgent) => ({ status: 200, body: renderAgent(rowOfAgent(agent), now()) });
  const decide = async (
    { cause }: Pick<Request<typeof operations.getAgent>, 'cause'>,
    { details: { agentId } }: KnownAgent,
    command: AgentCommand,
  ) => {
    const { state } = await commands.run('agent', uuidOf(agentId), command, cause);
    invariant(state.status !== 'NONE', 'decided on an agent that is not there');
    return answer(state);
  };

  return [
    route(operations.listAgentsOperation, async ({ principal, query: { limit, cursor, ...filters } }) => {
      const page = await listAgents(readDb, principal.platformId, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, (row) => renderAgent(row, now())) };
    }),

    routeOn(
      operations.createAgent,
      ({ principal, body }) => loadCustomer(commands, principal.platformId, body.customerId),
      async ({ principal: { platformId }, body, cause, uuidFor }, { customerId, platformCustomerId }) => {
        const agentId = idOf('Agent', uuidFor('agent'));
        const policy = newPolicy(body.policy);
        const at = now();
        const details = { platformId, agentId, customerId, platformCustomerId, name: body.name, policy, at };
        const issued = await drawCode(deps, agentId, platformId, uuidFor('device-code'), at);
        const { deviceCode } = issued;
        const command = { type: 'CreateAgent', details, deviceCode, at } as const;
        const { state } = await commands.run('agent', uuidOf(agentId), command, cause);
        invariant(state.status !== 'NONE', 'an agent that was not created');
        const agent = renderAgent(rowOfAgent(state), at);
        return { status: 201, body: { agent, deviceCode: renderCode(issued, agentId) } };
      },
    ),

    routeOn(operations.getAgent, find, async (_request, agent) => answer(agent)),
    routeOn(operations.changeAgent, find, (request, agent) =>
      decide(request, agent, { type: 'ChangeAgent', ...request.body, at: now() }),
    ),
    routeOn(operations.changeAgentPolicy, find, (request, agent) => {
      const changes = request.body;
      return decide(request, agent, { type: 'ChangePolicy', changes, rates: rates.table, at: now() });
    }),
    routeOn(operations.deleteAgent, find, async (request, agent) => {
      await decide(request, agent, { type: 'DeleteAgent', at: now() });
      await agentCredentials.forget(agent.details.agentId);
      return { status: 204 };
    }),

    routeOn(operations.createDeviceCode, find, async (request, agent) => {
      const { agentId, platformId } = agent.details;
      const at = now();
      const issued = await drawCode(deps, agentId, platformId, request.uuidFor('device-code'), at);
      const { deviceCode } = issued;
      await decide(request, agent, { type: 'IssueDeviceCode', deviceCode, at });
      return { status: 201, body: renderCode(issued, agentId) };
    }),
    ...codeRoutes(deps),
  ];
}

function codeRoutes(deps: Deps): readonly Route[] {
  return [
    routeOn(
      operations.getDeviceCodeStatus,
      async ({ principal, params }) => {
        const found = await findCode(deps, params.code);
        if (found.kept.platformId !== principal.platformId) throw deviceCodeNotFound();
        return found;
      },
      async ({ params: { code } }, found) => ({ status: 200, body: { code, redeemed: isRedeemed(found) } }),
    ),

    routeOn(
      operations.redeemDeviceCode,
      ({ params }) => findCode(deps, params.code),
      async ({ cause, uuidFor }, found) => {
        const accessToken = await redeem(deps, found, uuidFor('agent-token'), cause);
        const { id: agentId, name: agentName, policy } = rowOfAgent(found.agent);
        return { status: 200, body: { agentId, agentName, accessToken, policy: renderPolicy(policy) } };
      },
    ),
  ];
}
