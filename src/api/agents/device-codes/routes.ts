import { rowOfAgent } from '../../../../projections/models/agents.ts';
import type { PlatformTimes } from '../../../infrastructure/clock/platform-times.ts';
import { isRedeemed, issueCode, redeem } from '../../../use-cases/agents/codes.ts';
import type { AgentCredentials } from '../../../use-cases/agents/credentials.ts';
import type { Redemptions } from '../../../use-cases/agents/redemptions.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import { loadAgent, loadDeviceCode, loadDeviceCodeOf } from '../../../use-cases/find/agent.ts';
import { type Route, routeOn } from '../../operation.ts';
import { renderPolicy } from '../render.ts';
import * as operations from './operations.ts';
import { redemptionKeyHeader, redemptionKeyOf } from './redemption-key.ts';
import { renderCode } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly agentCredentials: AgentCredentials;
  readonly redemptions: Redemptions;
  readonly now: () => Date;
  readonly installationNow: () => Date;
  readonly times: Pick<PlatformTimes, 'within'>;
};

export function deviceCodeRoutes(deps: Deps): readonly Route[] {
  return [
    routeOn(
      operations.createDeviceCode,
      ({ principal, params }) => loadAgent(deps.commands, principal.platformId, params.agentId),
      async (request, agent) => {
        const issued = await issueCode(deps, agent, request.principal, request);
        return { status: 201, body: renderCode(issued, agent.details.agentId) };
      },
    ),
    routeOn(
      operations.getDeviceCodeStatus,
      ({ principal, params }) => loadDeviceCodeOf(deps, principal.platformId, params.code),
      async ({ params: { code } }, found) => ({ status: 200, body: { code, redeemed: isRedeemed(found) } }),
    ),
    routeOn(
      operations.redeemDeviceCode,
      ({ params }) => loadDeviceCode(deps, params.code),
      async ({ cause, uuidFor, header }, found) => {
        const attempt = {
          tokenId: uuidFor('agent-token'),
          key: redemptionKeyOf(header(redemptionKeyHeader)),
        };
        const { platformId } = found.kept;
        const accessToken = await deps.times.within(platformId, () => redeem(deps, found, attempt, cause));
        const { id: agentId, name: agentName, policy } = rowOfAgent(found.agent);
        return { status: 200, body: { agentId, agentName, accessToken, policy: renderPolicy(policy) } };
      },
    ),
  ];
}
