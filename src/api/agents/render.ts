import { z } from 'zod';
import type { AgentRow } from '../../../projections/tables/agents.ts';
import { resetsOf, usageAt } from '../../domain/agents/usage.ts';
import { idField } from '../../kernel/ids.ts';
import { agentPermission, executionMode } from '../fields/enumerations.ts';
import { int64, present, timestamp, wholeNumber } from '../fields/fields.ts';

/** A limit that is null or absent does not limit. */
export const policySchema = z
  .object({
    permissions: z.array(agentPermission),
    defaultExecutionMode: executionMode,
    spendingLimits: z.object({
      currency: z.string(),
      perTransactionLimit: int64,
      dailyLimit: int64.nullable(),
      dailyTransactionLimit: z.int().min(0).optional(),
      monthlyLimit: int64.nullable(),
    }),
    accountRestrictions: z
      .object({
        allowedAccountIds: z.array(z.string()).nullable(),
        accountRules: z
          .array(
            z.object({
              accountId: z.string(),
              executionMode: executionMode.optional(),
              perTransactionLimit: int64.nullable(),
            }),
          )
          .optional(),
      })
      .optional(),
    approvalThresholds: z.object({ currency: z.string(), amount: int64.nullable() }).optional(),
  })
  .meta({ id: 'AgentPolicy' });

const usageSchema = z
  .object({
    dailyTransactionCount: z.int().min(0),
    dailySpend: wholeNumber.meta({ description: 'In the currency of the spending limits.' }),
    monthlySpend: wholeNumber,
    dailyResetDate: z.iso.date().meta({ description: 'The UTC day on which the daily counters start anew.' }),
    monthlyResetMonth: z.string().regex(/^\d{4}-\d{2}$/),
  })
  .meta({ id: 'AgentUsage' });

export const agentSchema = z
  .object({
    id: idField('Agent'),
    name: z.string(),
    customerId: idField('Customer'),
    isPaused: z.boolean(),
    isConnected: z.boolean(),
    policy: policySchema,
    usage: usageSchema,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Agent' });

/** The agent as it stands at a moment: its counters start anew in time. */
export function renderAgent(row: AgentRow, at: Date): z.input<typeof agentSchema> {
  return {
    id: row.id,
    name: row.name,
    customerId: row.customer_id,
    isPaused: row.is_paused,
    isConnected: row.is_connected,
    policy: renderPolicy(row.policy),
    usage: renderUsage(row.usage, at),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const amountOf = (text: string | undefined) => (text === undefined ? null : BigInt(text));

export function renderPolicy(policy: AgentRow['policy']): z.input<typeof policySchema> {
  const { permissions, defaultExecutionMode, spendingLimits: limits } = policy;
  const { accountRestrictions, approvalThresholds: thresholds } = policy;
  return present({
    permissions,
    defaultExecutionMode,
    spendingLimits: present({
      currency: limits.currency,
      perTransactionLimit: BigInt(limits.perTransactionLimit),
      dailyLimit: amountOf(limits.dailyLimit),
      dailyTransactionLimit: limits.dailyTransactionLimit,
      monthlyLimit: amountOf(limits.monthlyLimit),
    }),
    accountRestrictions: accountRestrictions && renderRestrictions(accountRestrictions),
    approvalThresholds: thresholds && { currency: thresholds.currency, amount: amountOf(thresholds.amount) },
  });
}

function renderRestrictions({
  allowedAccountIds,
  accountRules,
}: NonNullable<AgentRow['policy']['accountRestrictions']>) {
  const rules = accountRules?.map(({ accountId, executionMode: mode, perTransactionLimit }) =>
    present({ accountId, executionMode: mode, perTransactionLimit: amountOf(perTransactionLimit) }),
  );
  return present({ allowedAccountIds: allowedAccountIds ?? null, accountRules: rules });
}

function renderUsage(stored: AgentRow['usage'], at: Date): z.input<typeof usageSchema> {
  const { day, dailyTransactionCount } = stored;
  const [dailySpend, monthlySpend] = [BigInt(stored.dailySpend), BigInt(stored.monthlySpend)];
  const usage = usageAt({ day, dailyTransactionCount, dailySpend, monthlySpend }, at);
  return {
    dailyTransactionCount: usage.dailyTransactionCount,
    dailySpend: usage.dailySpend,
    monthlySpend: usage.monthlySpend,
    ...resetsOf(usage),
  };
}
