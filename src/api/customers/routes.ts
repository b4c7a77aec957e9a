import type { ReadDb } from '../../../projections/database.ts';
import { ownersOf } from '../../../projections/models/beneficial-owners.ts';
import { findCustomer, listCustomers, rowOfCustomer } from '../../../projections/models/customers.ts';
import type { CustomerRow } from '../../../projections/tables/customers.ts';
import { customerNotFound, type KnownCustomer } from '../../domain/customers/customer.ts';
import { unreadOf } from '../../domain/customers/update-request.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { timeLeft, whateverTheTime } from '../../infrastructure/deadlines/deadline.ts';
import { within } from '../../infrastructure/deadlines/within.ts';
import type { UntilAllShown } from '../../infrastructure/event-store/all-shown.ts';
import type { Sealer } from '../../infrastructure/secrets/sealing.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { createCustomer } from '../../use-cases/customers/create.ts';
import { deleteCustomer } from '../../use-cases/customers/delete.ts';
import { eraseCustomer } from '../../use-cases/customers/erase.ts';
import { updateCustomer } from '../../use-cases/customers/update.ts';
import { loadCustomer } from '../../use-cases/find/customer.ts';
import type { Erasures } from '../../workers/erasure/erasure.ts';
import { renderPage } from '../fields/fields.ts';
import { found } from '../found.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import { renderSignatureChallenge } from '../wallets/render.ts';
import * as operations from './operations.ts';
import { renderCustomer, renderErasure } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly listDb: ReadDb;
  readonly untilAllShown: UntilAllShown;
  readonly sealer: Pick<Sealer, 'fingerprint'>;
  readonly erasures: Pick<Erasures, 'ask' | 'carryOut' | 'find'>;
  readonly now: () => Date;
};
/** An erasure that takes longer goes on by itself. */
const erasedWithinMs = 8_000;
/** Of the time that the request has left: in the rest it is looked how far the erasure is. */
const shareOfTime = 0.75;

type ById = Pick<Request<typeof operations.getCustomer>, 'principal' | 'params'>;

export function customerRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, listDb, erasures } = deps;
  const load = ({ principal, params }: ById) =>
    loadCustomer(commands, principal.platformId, params.customerId);
  const answer = async (row: CustomerRow) => ({
    status: 200,
    body: renderCustomer(row, await ownersOf(readDb, [row])),
  });
  return [
    route(operations.createCustomer, async (request) => {
      const { principal, body } = request;
      const customer = await createCustomer(deps, principal.platformId, body, request);
      return { status: 201, body: renderCustomer(rowOfCustomer(customer), []) };
    }),

    route(operations.listCustomersOperation, async ({ principal, query }) => {
      const { limit, cursor, ...filters } = query;
      const page = await listCustomers(listDb, principal.platformId, filters, { limit, cursor });
      const owners = await ownersOf(listDb, page.rows);
      return { status: 200, body: renderPage(page, (row) => renderCustomer(row, owners)) };
    }),

    routeOn(
      operations.getCustomer,
      async ({ principal, params }) =>
        found(await findCustomer(readDb, principal.platformId, params.customerId), customerNotFound),
      (_request, row) => answer(row),
    ),

    routeOn(operations.patchCustomer, load, async (request, customer) => {
      const updated = await updateCustomer(deps, customer, request.body, request);
      if (updated.challenge) return { status: 202, body: renderSignatureChallenge(updated.challenge) };
      return { ...(await answer(rowOfCustomer(updated.customer))), unread: unreadOf(request.body, customer) };
    }),

    routeOn(operations.deleteCustomer, load, async ({ cause }, customer) =>
      answer(rowOfCustomer(await deleteCustomer(deps, customer, cause))),
    ),

    routeOn(operations.eraseCustomer, load, async ({ cause }, customer) => {
      const { customerId } = customer;
      const remove = (one: KnownCustomer, why: Cause) => deleteCustomer(deps, one, why);
      const { erasedAt = deps.now() } = await eraseCustomer({ ...deps, remove }, customer, cause);
      await erasures.ask(customer, erasedAt);
      await within(
        Math.min(erasedWithinMs, shareOfTime * timeLeft()),
        whateverTheTime(() => erasures.carryOut(customerId)),
      );
      return { status: 200, body: renderErasure(customerId, (await erasures.find(customerId)) ?? {}) };
    }),
  ];
}
