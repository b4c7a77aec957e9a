import { findCustomer, listCustomers, toRow } from '../../projections/customers.ts';
import type { ReadDb } from '../../projections/database.ts';
import type { Commands } from '../aggregates.ts';
import { renderPage } from '../infrastructure/http/fields.ts';
import { type Request, type Route, route, routeOn } from '../infrastructure/http/operation.ts';
import { idOf } from '../infrastructure/ids.ts';
import { loadPlatform } from '../platforms/routes.ts';
import { paymentAddressStream, platformCustomerStream } from '../reservations/reservation.ts';
import { renderCustomer } from './api.ts';
import { newCustomer } from './create.ts';
import { type CustomerDetails, customerNotFound } from './customer.ts';
import { createCustomer, getCustomer, listCustomersOperation } from './operations.ts';

type Deps = { readonly commands: Commands; readonly readDb: ReadDb; readonly now: () => Date };

export function customerRoutes({ commands, readDb, now }: Deps): readonly Route[] {
  return [
    route(createCustomer, async (request) => {
      const { principal, body, uuidFor, cause } = request;
      const platform = await loadPlatform(commands, principal);
      const uuid = uuidFor('customer');
      const details = newCustomer(body, platform, {
        customerId: idOf('Customer', uuid),
        platformCustomerId: uuid,
        addressName: uuid.slice(-12),
        at: now(),
      });
      await reserveNames(commands, details, cause);
      await commands.run('customer', uuid, { type: 'CreateCustomer', details }, cause);
      return { status: 201, body: renderCustomer(toRow(principal.platformId, details)) };
    }),

    route(listCustomersOperation, async ({ principal, query }) => {
      const { limit, cursor, ...filters } = query;
      const page = await listCustomers(readDb, principal.platformId, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderCustomer) };
    }),

    routeOn(
      getCustomer,
      async ({ principal, params }) => {
        const row = await findCustomer(readDb, principal.platformId, params.customerId);
        if (!row) throw customerNotFound();
        return row;
      },
      async (_request, row) => ({ status: 200, body: renderCustomer(row) }),
    ),
  ];
}

/** Takes the payment address and the platform's id for the customer, or neither. */
async function reserveNames(
  commands: Commands,
  { platformId, customerId: holder, umaAddress, platformCustomerId, at }: CustomerDetails,
  cause: Request<typeof createCustomer>['cause'],
): Promise<void> {
  const address = paymentAddressStream(umaAddress);
  const addressTaken = {
    code: 'UMA_ADDRESS_EXISTS',
    message: `The payment address ${umaAddress} is taken.`,
  } as const;
  const idTaken = {
    code: 'CONFLICT',
    message: `The platformCustomerId ${platformCustomerId} belongs to another active customer.`,
  } as const;
  await commands.run('reservation', address, { type: 'ReserveName', holder, at, taken: addressTaken }, cause);
  try {
    const id = platformCustomerStream(platformId, platformCustomerId);
    await commands.run('reservation', id, { type: 'ReserveName', holder, at, taken: idTaken }, cause);
  } catch (error) {
    await commands.run('reservation', address, { type: 'ReleaseName', holder, at }, cause);
    throw error;
  }
}
