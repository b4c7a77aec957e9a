import type { KnownCustomer } from '../../domain/customers/customer.ts';
import { documentNotFound, type KeptDocument } from '../../domain/documents/document.ts';
import type { DocumentHolder } from '../../domain/documents/events.ts';
import { type DocumentId, isId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';

/** Throws `Rejected` (404) for a document that is not there or not this platform's. */
export async function loadDocument(
  commands: Commands,
  platformId: PlatformId,
  id: DocumentId,
): Promise<KeptDocument> {
  const found = await commands.load('document', uuidOf(id));
  if (found.status !== 'kept' || found.details.platformId !== platformId) throw documentNotFound();
  return found;
}

/** The customer who is the holder, or whose owner is. Throws `Rejected` (404) for what is not there or not this platform's. */
export async function loadDocumentHolder(
  commands: Commands,
  platformId: PlatformId,
  holder: DocumentHolder,
): Promise<KnownCustomer> {
  const owner = isId('BeneficialOwner', holder)
    ? await commands.load('beneficialOwner', uuidOf(holder))
    : undefined;
  const customerId = owner && owner.status !== 'none' ? owner.customerId : holder;
  const customer = isId('Customer', customerId)
    ? await commands.load('customer', uuidOf(customerId))
    : undefined;
  if (!customer || customer.status === 'none' || customer.platformId !== platformId) throw holderNotFound();
  return customer;
}

const holderNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such document holder.', { resource: 'DocumentHolder' });
