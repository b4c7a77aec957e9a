import type { ReadDb } from '../../../../projections/database.ts';
import type { AgentActionId, AgentId } from '../../../kernel/ids.ts';
import { approveAction, rejectAction } from '../../../use-cases/agents/actions/approvals.ts';
import type { SubmitDeps } from '../../../use-cases/agents/actions/submit.ts';
import type { Principal } from '../../../use-cases/caller.ts';
import { actionOf, loadAgent } from '../../../use-cases/find/agent.ts';
import { type Route, route, routeOn } from '../../operation.ts';
import * as operations from './operations.ts';
import { actionsPage, renderWithPayment } from './with-payments.ts';

type Deps = SubmitDeps & { readonly listDb: ReadDb };
type ById = {
  readonly principal: Principal;
  readonly params: { readonly agentId: AgentId; readonly actionId: AgentActionId };
};

/** The platform's say over what its agents ask for. */
export function approvalRoutes(deps: Deps): readonly Route[] {
  const { commands, listDb } = deps;
  const find = async ({ principal, params }: ById) =>
    actionOf(
      await loadAgent(commands, principal.platformId, params.agentId, [params.actionId]),
      params.actionId,
    );

  return [
    route(operations.listApprovals, async ({ principal, query }) => {
      const { limit, cursor, sortOrder, ...filters } = query;
      const waiting = { ...filters, status: 'PENDING_APPROVAL' as const };
      const page = { limit, cursor };
      return { status: 200, body: await actionsPage(listDb, principal.platformId, waiting, page, sortOrder) };
    }),
    route(operations.listDecisions, async ({ principal, query }) => {
      const { limit, cursor, sortOrder, ...filters } = query;
      const decided = { ...filters, isDecided: true as const };
      const page = { limit, cursor };
      return { status: 200, body: await actionsPage(listDb, principal.platformId, decided, page, sortOrder) };
    }),
    routeOn(operations.approveAction, find, async ({ cause }, found) => {
      const approved = await approveAction(deps, found, cause);
      return { status: 200, body: await renderWithPayment(commands, approved) };
    }),
    routeOn(operations.rejectAction, find, async ({ cause, body }, found) => {
      const rejected = await rejectAction(deps, found, body.reason ?? 'Rejected by platform', cause);
      return { status: 200, body: await renderWithPayment(commands, rejected) };
    }),
  ];
}
