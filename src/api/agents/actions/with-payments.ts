/** Actions as they are answered: with the payments that they are about. */

import type { ReadDb } from '../../../../projections/database.ts';
import { listAgentActions, rowOfAction } from '../../../../projections/models/agent-actions.ts';
import { rowOfPayment } from '../../../../projections/models/transaction-row.ts';
import { findTransactions } from '../../../../projections/models/transactions.ts';
import { type PlatformId, uuidOf } from '../../../kernel/ids.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import type { FoundAction } from '../../../use-cases/find/agent.ts';
import { renderPage } from '../../fields/fields.ts';
import { renderAgentAction } from './render.ts';

export async function renderWithPayment(commands: Commands, { agent, actionId, action }: FoundAction) {
  const row = rowOfAction(agent, actionId, action);
  const payment = await commands.load('transaction', uuidOf(row.transaction_id));
  return renderAgentAction(row, payment.status === 'NONE' ? undefined : rowOfPayment(payment));
}

export async function actionsPage(
  listDb: ReadDb,
  platformId: PlatformId,
  filters: Parameters<typeof listAgentActions>[2],
  page: Parameters<typeof listAgentActions>[3],
  order?: 'asc' | 'desc',
) {
  const found = await listAgentActions(listDb, platformId, filters, page, order);
  const ids = found.rows.map(({ transaction_id }) => transaction_id);
  const payments = new Map((await findTransactions(listDb, platformId, ids)).map((row) => [row.id, row]));
  return renderPage(found, (row) => renderAgentAction(row, payments.get(row.transaction_id)));
}
