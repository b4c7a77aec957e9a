import type { ReadDb } from '../../../projections/database.ts';
import { ownersOf } from '../../../projections/models/beneficial-owners.ts';
import { countDocumentsOf, documentsOf } from '../../../projections/models/documents.ts';
import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import { missingFor } from '../../domain/verification/requirements.ts';
import {
  type AssessedVerification,
  alreadyVerified,
  documentsMax,
  requireFewDocuments,
  verificationIdOf,
} from '../../domain/verification/verification.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { UntilAllShown } from '../../infrastructure/event-store/all-shown.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';
import type { ScreeningOf } from './bounded-screening.ts';
import { stillThere } from './while-there.ts';

export type VerifyDeps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly untilAllShown: UntilAllShown;
  readonly screeningOf: ScreeningOf;
  readonly now: () => Date;
};

/**
 * Submits what is known of the customer; what is missing stands in the result. Throws `Rejected` (SERVICE_UNAVAILABLE)
 * where it is not known yet.
 */
export async function verify(
  { commands, readDb, untilAllShown, screeningOf, now }: VerifyDeps,
  customer: KnownCustomer,
  cause: Cause,
): Promise<AssessedVerification> {
  requireNotDeleted(customer);
  const { platformId, customerId, customerType, kycStatus } = customer;
  if (kycStatus === 'APPROVED' || kycStatus === 'REJECTED') throw alreadyVerified(kycStatus);
  // Nobody is approved for want of an owner or a document that the rows do not show yet.
  await untilAllShown();
  const owners = await ownersOf(readDb, [{ id: customerId, customer_type: customerType }]);
  const holders = [customerId, ...owners.map(({ id }) => id)];
  requireFewDocuments(await countDocumentsOf(readDb, holders));
  // What is uploaded since it was counted is the newest: it waits for the next assessment.
  const documents = await documentsOf(readDb, holders, documentsMax);
  const errors = missingFor({ customer, owners, documents });
  const verificationId = verificationIdOf(customerId);
  const screened = {
    verificationId,
    customer,
    owners: owners.map((owner) => ({
      platformId,
      customerId,
      beneficialOwnerId: owner.id,
      personalInfo: owner.personal_info,
    })),
    documents: documents.map((one) => ({
      documentId: one.id,
      holder: one.document_holder,
      documentType: one.document_type,
    })),
    isComplete: errors.length === 0,
  };
  const finding = await (await screeningOf(platformId)).customer(screened);
  const ofCustomer = await stillThere(commands, customerId, cause);
  const command = {
    type: 'AssessVerification',
    platformId,
    customerId,
    finding,
    errors,
    documents: documents.map(({ id }) => id),
    at: now(),
  } as const;
  const uuid = uuidOf(verificationId);
  const { state } = await commands.run('verification', uuid, command, ofCustomer);
  invariant(state.status !== 'none', 'assessed a verification that is not there');
  return state;
}
