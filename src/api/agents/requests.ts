/** What the platform says about an agent: its policy, whole and in parts. */
import { z } from 'zod';
import { agentPermissions } from '../../domain/agents/events.ts';
import { findCurrency } from '../../domain/money/currencies.ts';
import { bounds } from '../../domain/values/bounds.ts';
import { idSchema } from '../../kernel/ids.ts';
import { int64Max } from '../../kernel/money.ts';
import { acrossFields, type FieldProblem, requiredOf } from '../fields/across-fields.ts';
import { currencyCode } from '../fields/amounts.ts';
import { agentPermission, executionMode } from '../fields/enumerations.ts';
import { amountUpTo } from '../fields/fields.ts';
import { accountId, name } from '../fields/texts.ts';

const currency = currencyCode.refine((code) => findCurrency(code) !== undefined, 'is not supported');
const limit = amountUpTo(int64Max);
const cap = limit.nullable().optional().meta({ description: 'No limit when null or left out.' });

const spendingLimits = z.object({
  currency,
  perTransactionLimit: limit,
  dailyLimit: cap,
  dailyTransactionLimit: z
    .int(`must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`)
    .min(0)
    .nullable()
    .optional(),
  monthlyLimit: cap,
});

const restrictions = z.object({
  allowedAccountIds: z
    .array(accountId)
    .max(bounds.policyAccounts)
    .nullable()
    .optional()
    .meta({ description: 'All accounts of the customer when null or left out.' }),
  accountRules: z
    .array(
      z.object({
        accountId,
        executionMode: executionMode.optional(),
        perTransactionLimit: limit
          .nullable()
          .optional()
          .meta({ description: "The policy's own when null or left out." }),
      }),
    )
    .max(bounds.policyAccounts)
    .nullable()
    .optional()
    .meta({ description: 'One for an account at most.' }),
});

const accountRestrictions = restrictions.check(acrossFields((sent) => repeatedRules(sent('accountRules'))));

/** Of two rules for one account it would not be told which counts. */
function repeatedRules(rules: unknown): readonly FieldProblem[] {
  const known = new Set<unknown>();
  return (Array.isArray(rules) ? rules : []).flatMap((rule, index) => {
    const accountId = rule?.accountId;
    const problem = { field: `accountRules.${index}.accountId`, message: 'has a rule before' };
    if (known.has(accountId)) return [problem];
    if (typeof accountId === 'string') known.add(accountId);
    return [];
  });
}

const approvalThresholds = z.object({
  currency: currency.optional().meta({ description: 'Required with amount.' }),
  amount: cap.meta({ description: 'An amount above it needs approval, whatever the mode.' }),
});

const rest = {
  permissions: z.array(agentPermission).max(agentPermissions.length),
  defaultExecutionMode: executionMode.optional().meta({ description: 'AUTO when left out.' }),
  accountRestrictions: accountRestrictions.nullable().optional(),
};

const policyRequest = z
  .object({
    ...rest,
    spendingLimits,
    approvalThresholds: approvalThresholds
      .check(
        acrossFields((sent) =>
          typeof sent('amount') === 'bigint' ? requiredOf(sent, 'currency', 'is required with amount') : [],
        ),
      )
      .nullable()
      .optional(),
  })
  .meta({ id: 'AgentPolicyRequest' });

export const createAgentRequest = z
  .object({ name, customerId: idSchema('Customer'), policy: policyRequest })
  .meta({ id: 'AgentCreateRequest' });

/** Lists are replaced whole, limits one by one; what is left out stays. */
export const changePolicyRequest = z
  .object({
    ...rest,
    permissions: rest.permissions.optional(),
    spendingLimits: spendingLimits.partial().optional(),
    approvalThresholds: approvalThresholds.nullable().optional(),
  })
  .meta({ id: 'AgentPolicyChangeRequest' });

export const changeAgentRequest = z
  .object({ name: name.optional(), isPaused: z.boolean().optional() })
  .check(
    acrossFields((sent) =>
      ['name', 'isPaused'].every((field) => sent(field) === undefined)
        ? ['name', 'isPaused'].map((field) => ({ field, message: 'name or isPaused is required' }))
        : [],
    ),
  )
  .meta({ id: 'AgentChangeRequest', anyOf: [{ required: ['name'] }, { required: ['isPaused'] }] });
