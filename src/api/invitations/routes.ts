import type { IssuedInvitation } from '../../domain/invitations/invitation.ts';
import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
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
  readonly times: Pick<PlatformTimes, 'within'>;
};
type ByCode = Pick<Request<typeof operations.getInvitation>, 'principal' | 'params'>;

export function invitationRoutes(deps: Deps): readonly Route[] {
  const { commands, now, times } = deps;
  const load = ({ principal, params }: ByCode) =>
    loadInvitation(commands, principal.environment, params.invitationCode);
  /** Whoever asks, an invitation is over by the clock of the platform that created it. */
  const answer = (found: IssuedInvitation, outcome: () => Promise<IssuedInvitation>) =>
    times.within(found.details.platformId, async () => ({
      status: 200,
      body: renderInvitation(await outcome(), now()),
    }));

  return [
    route(operations.createInvitation, async (request) => {
      const { body, principal } = request;
      const issued = await issueInvitation(deps, principal, body, request);
      return { status: 201, body: renderInvitation(issued, issued.details.at) };
    }),

    routeOn(operations.getInvitation, load, async (_request, found) => answer(found, async () => found)),

    routeOn(operations.claimInvitation, load, async ({ body, principal, cause }, found) => {
      const by = { platformId: principal.platformId, cause };
      return answer(found, () => claimInvitation(deps, found, body.inviteeUma, by));
    }),

    routeOn(operations.cancelInvitation, load, async ({ principal, cause }, found) => {
      const by = { platformId: principal.platformId, cause };
      return answer(found, () => cancelInvitation(deps, found, by));
    }),
  ];
}
