/** Actions as they are answered: with the payments that they are about. */

import { listActionsWithPayments, rowOfAction } from '../../../../projections/models/agent-actions.ts';
import { rowOfPayment } from '../../../../projections/models/transaction-row.ts';
import { uuidOf } from '../../../kernel/ids.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import type { FoundAction } from '../../../use-cases/find/agent.ts';
import { renderPage } from '../../fields/fields.ts';
import { renderAgentAction } from './render.ts';

export async function renderWithPayment(commands: Commands, { agent, actionId, action }: FoundAction) {
  const row = rowOfAction(agent, actionId, action);
  const payment = await commands.load('transaction', uuidOf(row.transaction_id));
  return renderAgentAction(row, payment.status === 'NONE' ? undefined : rowOfPayment(payment));
}

export const actionsPage = async (...asked: Parameters<typeof listActionsWithPayments>) =>
  renderPage(await listActionsWithPayments(...asked), ({ action, payment }) =>
    renderAgentAction(action, payment),
  );
