import { rowOfAction } from '../../../../projections/models/agent-actions.ts';
import { rowOfPayment } from '../../../../projections/models/transaction-row.ts';
import type { AgentActionRow } from '../../../../projections/tables/agents.ts';
import type { TransactionRow } from '../../../../projections/tables/transactions.ts';
import type { TransactionId } from '../../../kernel/ids.ts';
import { uuidOf } from '../../../kernel/ids.ts';
import type { Commands } from '../../../use-cases/commands.ts';
import type { FoundAction } from '../../../use-cases/find/agent.ts';
import { renderAgentAction } from '../render.ts';

/** The action with the payment that it is about. */
export async function renderAction(commands: Commands, { agent, actionId, action }: FoundAction) {
  const row: AgentActionRow = rowOfAction(agent, actionId, action);
  return renderAgentAction(row, await paymentOf(commands, row.transaction_id));
}

export async function paymentOf(commands: Commands, id: TransactionId): Promise<TransactionRow | undefined> {
  const payment = await commands.load('transaction', uuidOf(id));
  return payment.status === 'NONE' ? undefined : rowOfPayment(payment);
}
