import { ownersOf } from '../../projections/beneficial-owners.ts';
import type { ReadDb } from '../../projections/database.ts';
import { documentsOf } from '../../projections/documents.ts';
import { findVerification, listVerifications, rowOfVerification } from '../../projections/verifications.ts';
import type { Commands } from '../aggregates.ts';
import { type KnownCustomer, requireNotDeleted } from '../customers/customer.ts';
import { requireCustomer } from '../customers/find.ts';
import { renderPage } from '../infrastructure/http/fields.ts';
import { type Request, type Route, route, routeOn } from '../infrastructure/http/operation.ts';
import { uuidOf } from '../infrastructure/ids.ts';
import { invariant } from '../infrastructure/invariant.ts';
import {
  createVerification,
  getVerification,
  listVerificationsOperation,
  renderVerification,
} from './api.ts';
import { missingFor } from './requirements.ts';
import type { Screening } from './screening.ts';
import { alreadyVerified, verificationIdOf, verificationNotFound } from './verification.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly screening: Screening;
  readonly now: () => Date;
};

export function verificationRoutes(deps: Deps): readonly Route[] {
  const { commands, readDb } = deps;
  return [
    routeOn(
      createVerification,
      ({ body, principal }) => requireCustomer(commands, principal, body.customerId),
      (request, customer) => verify(deps, request, customer),
    ),

    route(listVerificationsOperation, async ({ principal, query: { limit, cursor, ...filters } }) => {
      const page = await listVerifications(readDb, principal.platformId, filters, { limit, cursor });
      return { status: 200, body: renderPage(page, renderVerification) };
    }),

    routeOn(
      getVerification,
      async ({ principal, params }) => {
        const row = await findVerification(readDb, principal.platformId, params.verificationId);
        if (!row) throw verificationNotFound();
        return row;
      },
      async (_request, row) => ({ status: 200, body: renderVerification(row) }),
    ),
  ];
}

async function verify(
  { commands, readDb, screening, now }: Deps,
  { cause }: Request<typeof createVerification>,
  customer: KnownCustomer,
) {
  requireNotDeleted(customer);
  const { platformId, customerId, kycStatus } = customer;
  if (kycStatus === 'APPROVED' || kycStatus === 'REJECTED') throw alreadyVerified(kycStatus);
  const finding = screening.customer(customer);
  const owners = await ownersOf(readDb, [{ id: customerId, customer_type: customer.customerType }]);
  const documents = await documentsOf(readDb, [customerId, ...owners.map(({ id }) => id)]);
  const errors = missingFor({ customer, owners, documents });
  const submitted = { documents: documents.map(({ id }) => id), at: now() };
  const { state } = await commands.run(
    'verification',
    uuidOf(verificationIdOf(customerId)),
    { type: 'AssessVerification', platformId, customerId, finding, errors, ...submitted },
    cause,
  );
  invariant(state.status !== 'none', 'assessed a verification that is not there');
  return { status: 200, body: renderVerification(rowOfVerification(state)) };
}
