import type { ReadDb } from '../../../projections/database.ts';
import { findTransaction } from '../../../projections/models/transactions.ts';
import { streamOf } from '../../domain/streams.ts';
import type { PlatformId, TransactionId } from '../../kernel/ids.ts';

/** The receiving side of a quote into an account here has no stream of its own: it is told with the quote. */
export async function streamOfPayment(
  db: ReadDb,
  platformId: PlatformId,
  transactionId: TransactionId,
): Promise<string> {
  const row = await findTransaction(db, platformId, transactionId);
  return streamOf('transaction', row?.quote_id ?? transactionId);
}
