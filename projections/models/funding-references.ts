import { referenceFor } from '../../src/domain/accounts/funding-identifiers.ts';
import type { InternalAccountId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import type { Projection } from '../projector/projection.ts';

/** Which account a payer means by a reference. */
export const fundingReferences: Projection = {
  name: 'funding-references',
  tables: ['funding_references'],
  project({ type, data }, rows) {
    if (type !== 'AccountOpened') return;
    rows.put('funding_references', {
      reference: referenceFor(data.accountId),
      account_id: data.accountId,
    });
  },
};

/** The accounts that any of the references names. */
export async function accountsNamed(db: ReadDb, references: readonly string[]): Promise<InternalAccountId[]> {
  if (references.length === 0) return [];
  const found = await db
    .selectFrom('funding_references')
    .select('account_id')
    .where(({ eb, val }) => eb('reference', '=', eb.fn.any(val([...references]))))
    .execute();
  return found.map(({ account_id }) => account_id);
}
