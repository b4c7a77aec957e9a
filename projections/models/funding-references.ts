import { referenceFor } from '../../src/domain/accounts/funding-identifiers.ts';
import { isPaidInByReference } from '../../src/domain/quotes/instructions.ts';
import type { InternalAccountId, TransactionId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import type { Projection } from '../projector/projection.ts';

type Named = InternalAccountId | TransactionId;

/** Which account, or payment of a quote, a payer means by a reference. */
export const fundingReferences: Projection = {
  name: 'funding-references',
  tables: ['funding_references'],
  project(event, rows) {
    const meant = meantBy(event);
    if (meant) rows.put('funding_references', { reference: referenceFor(meant), account_id: meant });
  },
};

/** What has a reference from this event on. */
function meantBy({ type, data }: Parameters<Projection['project']>[0]): Named | undefined {
  if (type === 'AccountOpened') return data.accountId;
  const isPaidIn = type === 'QuoteCreated' && isPaidInByReference(data.source, data.sending.currency);
  return isPaidIn ? data.transactionId : undefined;
}

/** The accounts, and payments of quotes, that any of the references names. */
export async function namedBy(db: ReadDb, references: readonly string[]): Promise<Named[]> {
  if (references.length === 0) return [];
  const found = await db
    .selectFrom('funding_references')
    .select('account_id')
    .where(({ eb, val }) => eb('reference', '=', eb.fn.any(val([...references]))))
    .execute();
  return found.map(({ account_id }) => account_id);
}
