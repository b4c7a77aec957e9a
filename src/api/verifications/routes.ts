import type { ReadDb } from '../../../projections/database.ts';
import { ownersOf } from '../../../projections/models/beneficial-owners.ts';
import { documentsOf } from '../../../projections/models/documents.ts';
import {
  findVerification,
  listVerifications,
  rowOfVerification,
} from '../../../projections/models/verifications.ts';
import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import type { Screening } from '../../domain/ports/screening.ts';
import { missingFor } from '../../domain/verification/requirements.ts';
import {
  alreadyVerified,
  verificationIdOf,
  verificationNotFound,
} from '../../domain/verification/verification.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadCustomer } from '../../use-cases/find/customer.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import {
  createVerification,
  getVerification,
  listVerificationsOperation,
  renderVerification,
} from './operations.ts';

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
      ({ body, principal }) => loadCustomer(commands, principal.platformId, body.customerId),
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
