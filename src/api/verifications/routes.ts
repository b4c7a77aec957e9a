import type { ReadDb } from '../../../projections/database.ts';
import {
  findVerification,
  listVerifications,
  rowOfVerification,
} from '../../../projections/models/verifications.ts';
import { verificationNotFound } from '../../domain/verification/verification.ts';
import { type VerifyDeps, verify } from '../../use-cases/customers/verify.ts';
import { loadCustomer } from '../../use-cases/find/customer.ts';
import { renderPage } from '../fields/fields.ts';
import { found } from '../found.ts';
import { type Route, route, routeOn } from '../operation.ts';
import { createVerification, getVerification, listVerificationsOperation } from './operations.ts';
import { renderVerification } from './render.ts';

type Deps = VerifyDeps & { readonly listDb: ReadDb };

export function verificationRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb, listDb } = deps;
  return [
    routeOn(
      createVerification,
      ({ body, principal }) => loadCustomer(commands, principal.platformId, body.customerId),
      async ({ cause }, customer) => {
        const verification = await verify(deps, customer, cause);
        return { status: 200, body: renderVerification(rowOfVerification(verification)) };
      },
    ),

    route(listVerificationsOperation, async ({ principal, query: { limit, cursor, ...filters } }) => {
      const page = await listVerifications(listDb, principal.platformId, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderVerification) };
    }),

    routeOn(
      getVerification,
      async ({ principal, params }) =>
        found(
          await findVerification(readDb, principal.platformId, params.verificationId),
          verificationNotFound,
        ),
      async (_request, row) => ({ status: 200, body: renderVerification(row) }),
    ),
  ];
}
