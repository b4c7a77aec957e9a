import type { Customer, CustomerDetails, KnownCustomer } from '../../domain/customers/customer.ts';
import { addressTaken, firstNames, idTaken } from '../../domain/customers/names.ts';
import { type CustomerRequest, newCustomer } from '../../domain/customers/new-customer.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import { idOf, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Attempt } from '../attempt.ts';
import type { Commands } from '../commands.ts';
import { loadPlatform } from '../find/platform.ts';
import { sameRequest, takeName } from '../names.ts';

type Deps = {
  readonly commands: Commands;
  readonly sealer: Pick<Sealer, 'fingerprint'>;
  readonly now: () => Date;
};

/** Creates a customer under names that nobody else has. Throws `Rejected` where one is taken, with nothing recorded. */
export async function createCustomer(
  { commands, sealer, now }: Deps,
  platformId: PlatformId,
  request: CustomerRequest,
  attempt: Attempt,
): Promise<KnownCustomer> {
  const { uuidFor, cause } = attempt;
  const platform = await loadPlatform(commands, platformId);
  const uuid = uuidFor('customer');
  const details = newCustomer(request, platform, {
    customerId: idOf('Customer', uuid),
    platformCustomerId: uuid,
    addressName: uuid.slice(-12),
    at: now(),
  });
  const same = sameRequest(sealer, attempt, ['customer', platformId, request]);
  const state = await undertake(commands, details, same, cause);
  invariant(state.status !== 'none', 'created a customer who is not there');
  return state;
}

/** Takes the payment address and the platform's id for the customer and creates it, or takes neither. */
async function undertake(
  commands: Commands,
  details: CustomerDetails,
  request: string | undefined,
  cause: Cause,
): Promise<Customer> {
  const { customerId: holder, umaAddress, platformCustomerId, at } = details;
  const names = firstNames(details);
  const wanted = { holder, request, at };
  try {
    await takeName(commands, names.umaAddress, { ...wanted, taken: addressTaken(umaAddress) }, cause);
    await takeName(
      commands,
      names.platformCustomerId,
      { ...wanted, taken: idTaken(platformCustomerId) },
      cause,
    );
    return await createUnder(commands, details, cause);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    // One that an earlier attempt has created keeps them.
    if ((await commands.load('customer', uuidOf(holder))).status !== 'none') throw error;
    for (const { reservation } of Object.values(names))
      await commands.run('reservation', reservation, { type: 'ReleaseName', holder, at }, cause);
    throw error;
  }
}

/** Throws `Rejected` where one of the names was given to another one meanwhile: an ended claim does not say which. */
async function createUnder(commands: Commands, details: CustomerDetails, cause: Cause): Promise<Customer> {
  const { customerId, platformCustomerId } = details;
  try {
    const command = { type: 'CreateCustomer', details } as const;
    return (await commands.run('customer', uuidOf(customerId), command, cause)).state;
  } catch (error) {
    const isLost = async ({ reservation }: { readonly reservation: string }) => {
      const name = await commands.load('reservation', reservation);
      return name.status === 'held' && name.holder !== customerId;
    };
    const names = firstNames(details);
    if (!(error instanceof Rejected) || (await isLost(names.umaAddress))) throw error;
    if (!(await isLost(names.platformCustomerId))) throw error;
    const { code, message } = idTaken(platformCustomerId);
    throw new Rejected(code, message);
  }
}
