/** About whom it is what an event says of somebody whom it names by a payment address alone. */
import { personOfName } from '../../domain/persons.ts';
import { paymentAddressStream } from '../../domain/reservations/reservation.ts';
import type { Commands } from '../commands.ts';
import { customerAtWith } from './receivers.ts';

type Deps = {
  readonly commands: Pick<Commands, 'load'>;
  /** Whether there is no key of the person any more, so that nothing can be sealed with it. */
  readonly isErased: (person: string) => Promise<boolean>;
};

/**
 * The customer who has the address; the name where none has, so that it is erased with the customer who takes it. Nobody
 * where one who had the name was erased: what others say under it later is not erased with that one.
 */
export async function namedAt({ commands, isErased }: Deps, umaAddress: string): Promise<readonly string[]> {
  const customer = await customerAtWith(commands)(umaAddress);
  if (customer) return [customer.customerId];
  const name = personOfName(paymentAddressStream(umaAddress));
  return (await isErased(name)) ? [] : [name];
}
