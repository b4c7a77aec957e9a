import type { IssuedInvitation } from '../../domain/invitations/invitation.ts';
import type { Commands } from '../../use-cases/commands.ts';
import type { Receivers } from '../../use-cases/find/receivers.ts';
import { cancelInvitation, claimInvitation, loadInvitation } from '../../use-cases/invitations/answer.ts';
import { issueInvitation } from '../../use-cases/invitations/issue.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import * as operations from './operations.ts';
import { renderInvitation } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly receivers: Pick<Receivers, 'customerAt'>;
  readonly now: () => Date;
};
type ByCode = Pick<Request<typeof operations.getInvitation>, 'principal' | 'params'>;

export function invitationRoutes(deps: Deps): readonly Route[] {
  const { commands, now } = deps;
  const load = ({ principal, params }: ByCode) =>
    loadInvitation(commands, principal.environment, params.invitationCode);
  const answer = (invitation: IssuedInvitation) => ({
    status: 200,
    body: renderInvitation(invitation, now()),
  });

  return [
    route(operations.createInvitation, async (request) => {
      const { body, principal } = request;
      const issued = await issueInvitation(deps, principal, body, request);
      return { status: 201, body: renderInvitation(issued, issued.details.at) };
    }),

    routeOn(operations.getInvitation, load, async (_request, found) => answer(found)),

    routeOn(operations.claimInvitation, load, async ({ body, principal, cause }, found) => {
      const by = { platformId: principal.platformId, cause };
      return answer(await claimInvitation(deps, found, body.inviteeUma, by));
    }),

    routeOn(operations.cancelInvitation, load, async ({ principal, cause }, found) => {
      const by = { platformId: principal.platformId, cause };
      return answer(await cancelInvitation(deps, found, by));
    }),
  ];
}
