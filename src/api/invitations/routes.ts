import {
  type InvitationCommand,
  type IssuedInvitation,
  invitationNotFound,
  invitationStream,
} from '../../domain/invitations/invitation.ts';
import { type InvitationTerms, newInvitation } from '../../domain/invitations/new-invitation.ts';
import { parsePaymentAddress } from '../../domain/values/payment-address.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Principal } from '../../use-cases/caller.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadPlatform } from '../../use-cases/find/platform.ts';
import type { Receivers } from '../../use-cases/find/receivers.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import {
  cancelInvitation,
  claimInvitation,
  createInvitation,
  getInvitation,
  renderInvitation,
} from './operations.ts';

const codeLength = 8;
/** So many codes in a row that are all taken mean a fault, not chance. */
const drawsMax = 20;

type Deps = {
  readonly commands: Commands;
  readonly receivers: Pick<Receivers, 'customerAt'>;
  readonly now: () => Date;
};
type ByCode = { readonly principal: Principal; readonly params: { readonly invitationCode: string } };

export function invitationRoutes({ commands, receivers, now }: Deps): readonly Route[] {
  const find = async ({ principal, params }: ByCode): Promise<IssuedInvitation> => {
    const found = await commands.load(
      'invitation',
      invitationStream(principal.environment, params.invitationCode),
    );
    if (found.status === 'NONE') throw invitationNotFound();
    return found;
  };
  /** Whoever asks, what happens to an invitation happens to the platform that created it. */
  const decide = async (
    { cause }: Pick<Request<typeof getInvitation>, 'cause'>,
    { details: { invitationId, platformId } }: IssuedInvitation,
    command: InvitationCommand,
  ) => {
    const { state } = await commands.run('invitation', uuidOf(invitationId), command, {
      ...cause,
      platformId,
    });
    invariant(state.status !== 'NONE', 'decided on an invitation that is not there');
    return { status: 200, body: renderInvitation(state, now()) };
  };

  return [
    route(createInvitation, async (request) => {
      const { body, principal } = request;
      const platform = await loadPlatform(commands, principal.platformId);
      const inviter = await receivers.customerAt(parsePaymentAddress(body.inviterUma));
      const at = now();
      const terms = newInvitation(body, platform, inviter, at);
      const issued = await issue(commands, terms, platform.umaDomain, request);
      return { status: 201, body: renderInvitation(issued, at) };
    }),

    routeOn(getInvitation, find, async (_request, found) => ({
      status: 200,
      body: renderInvitation(found, now()),
    })),

    routeOn(claimInvitation, find, (request, found) => {
      const inviteeUma = parsePaymentAddress(request.body.inviteeUma);
      const claimedBy = request.principal.platformId;
      return decide(request, found, { type: 'ClaimInvitation', inviteeUma, claimedBy, at: now() });
    }),

    routeOn(cancelInvitation, find, (request, found) =>
      decide(request, found, {
        type: 'CancelInvitation',
        cancelledBy: request.principal.platformId,
        at: now(),
      }),
    ),
  ];
}

/** Gives the invitation a code that no other has: draws until the stream of the code is a new one. */
async function issue(
  commands: Commands,
  terms: InvitationTerms,
  umaDomain: string,
  { principal, cause, uuidFor }: Pick<Request<typeof createInvitation>, 'principal' | 'cause' | 'uuidFor'>,
): Promise<IssuedInvitation> {
  for (let draw = 1; draw <= drawsMax; draw++) {
    // The end of a uuid is random; its beginning is the time.
    const code = uuidFor(`invitation ${draw}`).slice(-codeLength);
    const uuid = invitationStream(principal.environment, code);
    const details = {
      ...terms,
      invitationId: idOf('Invitation', uuid),
      code,
      url: `https://${umaDomain}/invitations/${code}`,
    };
    const { state, events } = await commands.run(
      'invitation',
      uuid,
      { type: 'CreateInvitation', details },
      cause,
    );
    if (events.length > 0 && state.status !== 'NONE') return state;
  }
  throw new Error(`no invitation code was free in ${drawsMax} draws`);
}
