import { type IssuedInvitation, invitationStream } from '../../domain/invitations/invitation.ts';
import { type InvitationRequest, newInvitation } from '../../domain/invitations/new-invitation.ts';
import { parsePaymentAddress } from '../../domain/values/payment-address.ts';
import { idOf } from '../../kernel/ids.ts';
import type { Attempt } from '../attempt.ts';
import type { Principal } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { loadPlatform } from '../find/platform.ts';
import type { Receivers } from '../find/receivers.ts';

const codeLength = 8;
/** So many codes in a row that are all taken mean a fault, not chance. */
const drawsMax = 20;

type Deps = {
  readonly commands: Commands;
  readonly receivers: Pick<Receivers, 'customerAt'>;
  readonly now: () => Date;
};

/** Gives the invitation a code that no other has: draws until the stream of the code is a new one. */
export async function issueInvitation(
  { commands, receivers, now }: Deps,
  { platformId, environment }: Pick<Principal, 'platformId' | 'environment'>,
  request: InvitationRequest & { readonly inviterUma: string },
  { uuidFor, cause }: Attempt,
): Promise<IssuedInvitation> {
  const platform = await loadPlatform(commands, platformId);
  const inviter = await receivers.customerAt(parsePaymentAddress(request.inviterUma));
  const terms = newInvitation(request, platform, inviter, now());
  for (let draw = 1; draw <= drawsMax; draw++) {
    // The end of a uuid is random; its beginning is the time.
    const code = uuidFor(`invitation ${draw}`).slice(-codeLength);
    const uuid = invitationStream(environment, code);
    const url = `https://${platform.umaDomain}/invitations/${code}`;
    const details = { ...terms, invitationId: idOf('Invitation', uuid), code, url };
    const command = { type: 'CreateInvitation', details } as const;
    const { state, events } = await commands.run('invitation', uuid, command, cause);
    if (events.length > 0 && state.status !== 'NONE') return state;
  }
  throw new Error(`no invitation code was free in ${drawsMax} draws`);
}
