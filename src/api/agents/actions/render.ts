import { z } from 'zod';
import type { AgentActionRow } from '../../../../projections/tables/agents.ts';
import type { TransactionRow } from '../../../../projections/tables/transactions.ts';
import { idField } from '../../../kernel/ids.ts';
import { tokenOfActor } from '../../../use-cases/tokens/living.ts';
import { agentActionStatus } from '../../fields/enumerations.ts';
import { int64, present, timestamp } from '../../fields/fields.ts';
import { quoteSchema, renderQuote } from '../../quotes/render.ts';
import { renderTransaction, transactionSchema } from '../../transactions/render.ts';

const decider = (decision: string) =>
  z
    .string()
    .optional()
    .meta({ description: `An extension: the API token that ${decision} it; absent for former decisions.` });

export const agentActionSchema = z
  .object({
    id: idField('AgentAction'),
    agentId: idField('Agent'),
    customerId: idField('Customer'),
    platformCustomerId: z.string(),
    status: agentActionStatus,
    type: z.enum(['EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN']),
    quote: quoteSchema.optional().meta({ description: 'For EXECUTE_QUOTE.' }),
    transferDetails: z
      .object({
        amount: int64,
        currency: z.string(),
        sourceAccountId: z.string(),
        destinationAccountId: z.string(),
      })
      .optional()
      .meta({ description: 'For TRANSFER_OUT and TRANSFER_IN.' }),
    transaction: transactionSchema.optional().meta({ description: 'Once the execution has begun.' }),
    rejectionReason: z.string().optional(),
    failure: z.object({ code: z.string(), message: z.string() }).optional().meta({
      description:
        'An extension: for FAILED, what the same operation would be refused with. Absent where `failureReason` of the transaction says why, and for former failures.',
    }),
    decidedAt: timestamp.optional().meta({
      description:
        'An extension: when it was approved or rejected; absent where it waits, or the policy alone decided.',
    }),
    approvedBy: decider('approved'),
    rejectedBy: decider('rejected'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'AgentAction' });

/** `payment` is what the action executes or makes, where it is there. */
export function renderAgentAction(row: AgentActionRow, payment: TransactionRow | undefined) {
  const { transfer } = row;
  return present({
    id: row.id,
    agentId: row.agent_id,
    customerId: row.customer_id,
    platformCustomerId: row.platform_customer_id,
    status: row.status,
    type: row.type,
    quote: row.type === 'EXECUTE_QUOTE' && payment ? renderQuote(payment) : undefined,
    transferDetails: transfer ? { ...transfer, amount: BigInt(transfer.amount) } : undefined,
    transaction: payment && hasBegun(row) ? renderTransaction(payment) : undefined,
    rejectionReason: row.rejection_reason ?? undefined,
    failure: row.failure ?? undefined,
    decidedAt: row.decided_at?.toISOString(),
    ...deciderOf(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });
}

/** What an approval came to may be FAILED; nothing but a rejection is REJECTED. */
function deciderOf({ status, decided_by }: AgentActionRow) {
  if (decided_by === null) return {};
  const by = tokenOfActor(decided_by) ?? decided_by;
  return status === 'REJECTED' ? { rejectedBy: by } : { approvedBy: by };
}

/**
 * A quote has its transaction before it is executed, and keeps it when it is not: an action that fails has not executed
 * its quote, whoever else has. One that fails has made its transfer, or there is none.
 */
function hasBegun({ status, type }: AgentActionRow): boolean {
  return status === 'APPROVED' || (status === 'FAILED' && type !== 'EXECUTE_QUOTE');
}
