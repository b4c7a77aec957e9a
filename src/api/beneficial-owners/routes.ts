import type { ReadDb } from '../../../projections/database.ts';
import {
  findBeneficialOwner,
  listBeneficialOwners,
  rowOfOwner,
} from '../../../projections/models/beneficial-owners.ts';
import { ownerNotFound } from '../../domain/verification/owner.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { addOwner, changeOwner } from '../../use-cases/customers/beneficial-owners.ts';
import type { ScreeningOf } from '../../use-cases/customers/bounded-screening.ts';
import { loadBeneficialOwner } from '../../use-cases/find/beneficial-owner.ts';
import { loadCustomer } from '../../use-cases/find/customer.ts';
import { renderPage } from '../fields/fields.ts';
import { found } from '../found.ts';
import { type Route, route, routeOn } from '../operation.ts';
import { createOwner, getOwner, listOwners, patchOwner } from './operations.ts';
import { renderOwner } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly listDb: ReadDb;
  readonly screeningOf: ScreeningOf;
  readonly now: () => Date;
};

export function ownerRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, listDb } = deps;
  return [
    route(listOwners, async ({ principal, query: { limit, cursor, customerId } }) => {
      const page = await listBeneficialOwners(listDb, principal.platformId, customerId, { limit, cursor });
      return { status: 200, body: renderPage(page, renderOwner) };
    }),

    routeOn(
      createOwner,
      ({ body, principal }) => loadCustomer(commands, principal.platformId, body.customerId),
      async (request, business) => {
        const owner = await addOwner(deps, business, request.body, request);
        return { status: 201, body: renderOwner(rowOfOwner(owner)) };
      },
    ),

    routeOn(
      getOwner,
      async ({ principal, params }) =>
        found(
          await findBeneficialOwner(readDb, principal.platformId, params.beneficialOwnerId),
          ownerNotFound,
        ),
      async (_request, row) => ({ status: 200, body: renderOwner(row) }),
    ),

    routeOn(
      patchOwner,
      ({ principal, params }) =>
        loadBeneficialOwner(commands, principal.platformId, params.beneficialOwnerId),
      async ({ body, cause }, owner) => {
        const changed = await changeOwner(deps, owner, body, cause);
        return { status: 200, body: renderOwner(rowOfOwner(changed)) };
      },
    ),
  ];
}
