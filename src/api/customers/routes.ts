import type { ReadDb } from '../../../projections/database.ts';
import { ownersOf } from '../../../projections/models/beneficial-owners.ts';
import { findCustomer, listCustomers, rowOfCustomer, toRow } from '../../../projections/models/customers.ts';
import type { CustomerRow } from '../../../projections/tables/customers.ts';
import {
  type CustomerDetails,
  customerNotFound,
  requireNotDeleted,
} from '../../domain/customers/customer.ts';
import { addressTaken, idTaken } from '../../domain/customers/names.ts';
import { newCustomer } from '../../domain/customers/new-customer.ts';
import { paymentAddressStream, platformCustomerStream } from '../../domain/reservations/reservation.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { changeEmail, emailChangeOf, isSigned } from '../../use-cases/customers/email-change.ts';
import { changesOf, updateCustomer } from '../../use-cases/customers/update.ts';
import { loadCustomer } from '../../use-cases/find/customer.ts';
import { loadPlatform } from '../../use-cases/find/platform.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import { renderSignatureChallenge } from '../wallets/render.ts';
import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  listCustomersOperation,
  patchCustomer,
} from './operations.ts';
import { renderCustomer } from './render.ts';

type Deps = { readonly commands: Commands; readonly readDb: ReadDb; readonly now: () => Date };

export function customerRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, now } = deps;
  const find = ({ principal, params }: Pick<Request<typeof getCustomer>, 'principal' | 'params'>) =>
    loadCustomer(commands, principal.platformId, params.customerId);
  const answer = async (row: CustomerRow) => ({
    status: 200,
    body: renderCustomer(row, await ownersOf(readDb, [row])),
  });
  return [
    route(createCustomer, async (request) => {
      const { principal, body, uuidFor, cause } = request;
      const platform = await loadPlatform(commands, principal.platformId);
      const uuid = uuidFor('customer');
      const details = newCustomer(body, platform, {
        customerId: idOf('Customer', uuid),
        platformCustomerId: uuid,
        addressName: uuid.slice(-12),
        at: now(),
      });
      await reserveNames(commands, details, cause);
      await commands.run('customer', uuid, { type: 'CreateCustomer', details }, cause);
      return { status: 201, body: renderCustomer(toRow(principal.platformId, details), []) };
    }),

    route(listCustomersOperation, async ({ principal, query }) => {
      const { limit, cursor, ...filters } = query;
      const page = await listCustomers(readDb, principal.platformId, filters, { limit, cursor });
      const owners = await ownersOf(readDb, page.rows);
      return { status: 200, body: renderPage(page, (row) => renderCustomer(row, owners)) };
    }),

    routeOn(
      getCustomer,
      async ({ principal, params }) => {
        const row = await findCustomer(readDb, principal.platformId, params.customerId);
        if (!row) throw customerNotFound();
        return row;
      },
      async (_request, row) => answer(row),
    ),

    routeOn(patchCustomer, find, async (request, customer) => {
      const { principal, body, uuidFor, cause } = request;
      requireNotDeleted(customer);
      const at = now();
      const changes = changesOf(body, customer, await loadPlatform(commands, principal.platformId), at);
      const attempt = { changes, claim: uuidFor('names'), at };
      const emailChange = await emailChangeOf(deps, request, customer, body);
      if (!emailChange)
        return answer(rowOfCustomer(await updateCustomer(commands, customer, attempt, cause)));
      // The rest may be refused: it goes first, so that the challenge is used up for all of the update or for nothing.
      const { email: _signedFor, ...rest } = changes;
      if (await isSigned(deps, emailChange))
        await updateCustomer(commands, customer, { ...attempt, changes: rest }, cause);
      const challenge = await changeEmail(deps, request, customer, emailChange);
      if (challenge) return { status: 202, body: renderSignatureChallenge(challenge) };
      return answer(rowOfCustomer(await loadCustomer(commands, principal.platformId, customer.customerId)));
    }),

    routeOn(deleteCustomer, find, async ({ params, cause }) => {
      const uuid = uuidOf(params.customerId);
      const { state } = await commands.run('customer', uuid, { type: 'DeleteCustomer', at: now() }, cause);
      invariant(state.status !== 'none', 'deleted a customer who is not there');
      return answer(rowOfCustomer(state));
    }),
  ];
}

/** Takes the payment address and the platform's id for the customer, or neither. */
async function reserveNames(
  commands: Commands,
  { platformId, customerId: holder, umaAddress, platformCustomerId, at }: CustomerDetails,
  cause: Request<typeof createCustomer>['cause'],
): Promise<void> {
  const address = paymentAddressStream(umaAddress);
  const taken = addressTaken(umaAddress);
  await commands.run('reservation', address, { type: 'ReserveName', holder, at, taken }, cause);
  try {
    const id = platformCustomerStream(platformId, platformCustomerId);
    const idInUse = idTaken(platformCustomerId);
    await commands.run('reservation', id, { type: 'ReserveName', holder, at, taken: idInUse }, cause);
  } catch (error) {
    await commands.run('reservation', address, { type: 'ReleaseName', holder, at }, cause);
    throw error;
  }
}
