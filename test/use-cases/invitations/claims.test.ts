/** Who claims while payment addresses change hands. */
import { describe, expect, it } from 'vitest';
import { aggregates } from '../../../src/domain/aggregates.ts';
import { invitationStream } from '../../../src/domain/invitations/invitation.ts';
import { reactionsIn } from '../../../src/domain/reactions/reactions.ts';
import { paymentAddressStream } from '../../../src/domain/reservations/reservation.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import { type CustomerId, idOf, uuidOf } from '../../../src/kernel/ids.ts';
import { claimInvitation, loadInvitation } from '../../../src/use-cases/invitations/answer.ts';
import { customerDetails } from '../../support/builders/customers.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import { invitationDetails } from '../../support/builders/invitations.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { testStart } from '../../support/time/clock.ts';
import { sequentialIds, uuidNumber } from '../../support/values/ids.ts';

const at = testStart;
const now = () => at;
const code = '0a1b2c3d';
const uuid = invitationStream('sandbox', code);
const umaAddress = '$countess@pay.example';
const cause = { platformId, correlationId: 'request', causationId: 'request', actor: 'test' };

/** The claim with an address that is reserved for the holder, whose change has not come to its own stream yet. */
async function claimWithAddressOf(holder: CustomerId) {
  const { uuid: newEventId } = sequentialIds();
  const store = memoryEventStore();
  const commands = createDispatcher({ store, newEventId, now }, aggregates, reactionsIn('sandbox'));
  const inviter = customerDetails();
  await commands.run('customer', uuidOf(customerId), { type: 'CreateCustomer', details: inviter }, cause);
  const details = invitationDetails({ invitationId: idOf('Invitation', uuid), code });
  await commands.run('invitation', uuid, { type: 'CreateInvitation', details }, cause);
  const taken = { code: 'UMA_ADDRESS_EXISTS', message: 'It is taken.' } as const;
  const reserve = { type: 'ReserveName', holder, claim: 'change', taken, at } as const;
  await commands.run('reservation', paymentAddressStream(umaAddress), reserve, cause);
  const found = await loadInvitation(commands, 'sandbox', code);
  return claimInvitation({ commands, now }, found, umaAddress, { platformId, cause });
}

describe('a claim with an address that is on its way', () => {
  it('to the inviter is refused', async () => {
    await expect(claimWithAddressOf(customerId)).rejects.toMatchObject({ code: 'INVALID_UMA_ADDRESS' });
  });

  it('to another customer is that one’s', async () => {
    const claimed = await claimWithAddressOf(idOf('Customer', uuidNumber(77)));
    expect(claimed).toMatchObject({ status: 'CLAIMED', inviteeUma: umaAddress });
  });
});
