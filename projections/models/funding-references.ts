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
  project({ type, data }, rows) {
    const meant =
      type === 'AccountOpened'
        ? data.accountId
        : type === 'QuoteCreated' && isPaidInByReference(data.source, data.sending.currency)
          ? data.transactionId
          : undefined;
    if (meant) rows.put('funding_references', { reference: referenceFor(meant), account_id: meant });
  },
};

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
