/**
 * Changes a customer. A new payment address is reserved first; the one given up becomes free by a reaction, once the
 * change is recorded.
 */
import type { CustomerChanges } from '../../domain/customers/changes.ts';
import { type Customer, type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import { addressTaken } from '../../domain/customers/names.ts';
import { paymentAddressStream } from '../../domain/reservations/reservation.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { takeName } from '../names.ts';

type Wanted = {
  readonly changes: CustomerChanges;
  /** Tells this change's hold on a new name from that of another change of the same customer at the same time. */
  readonly claim: string;
  /** Where the e-mail address is one of them: how many changes of it the wallet had signed before. */
  readonly emailOrdinal?: number | undefined;
  readonly at: Date;
};

/** Throws `Rejected`, with nothing changed: 409 where a name is taken, 410 where the customer is deleted. */
export async function applyChanges(
  commands: Commands,
  customer: KnownCustomer,
  { changes, claim, emailOrdinal, at }: Wanted,
  cause: Cause,
): Promise<KnownCustomer> {
  requireNotDeleted(customer);
  const { customerId: holder } = customer;
  const { umaAddress } = changes;
  const address = umaAddress === undefined ? undefined : paymentAddressStream(umaAddress);
  /** Gives the address up when the customer has not got it under this claim: another update may have come first. */
  const settle = async (state: Customer): Promise<KnownCustomer> => {
    invariant(state.status !== 'none', 'updated a customer who is not there');
    const { reservation, claim: held } = state.names.umaAddress;
    if (address !== undefined && (held !== claim || reservation !== address)) {
      const release = { type: 'ReleaseName', holder, claim, at } as const;
      await commands.run('reservation', address, release, cause);
    }
    return state;
  };
  try {
    if (address !== undefined && umaAddress !== undefined) {
      const taken = addressTaken(umaAddress);
      await takeName(commands, { reservation: address }, { holder, claim, at, taken }, cause);
    }
    const command = { type: 'UpdateCustomer', changes, claim, emailOrdinal, at } as const;
    const { state } = await commands.run('customer', uuidOf(holder), command, cause);
    return await settle(state);
  } catch (error) {
    // What became of the change is known after a refusal only; otherwise an unused claim runs out by itself.
    if (error instanceof Rejected) await settle(await commands.load('customer', uuidOf(holder)));
    throw error;
  }
}
